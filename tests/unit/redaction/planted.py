"""One secret of every kind, made up: each with the text around it that gives it away, and the secret itself."""

import random
import string

_LETTERS = string.ascii_letters + string.digits
_LOWER = string.ascii_lowercase + string.digits
_UPPER = string.ascii_uppercase + "234567"
_HEX = "0123456789abcdef"


def _of(chance: random.Random, alphabet: str, length: int) -> str:
    """Random characters with a digit and a letter among them, and no word by chance."""
    while True:
        made = "".join(chance.choices(alphabet, k=length))
        letters = [char for char in made if char.isalpha()]
        if (
            letters
            and any(map(str.isdigit, made))
            and len(set(made)) > min(4, length - 2)
            and "xxx" not in made.lower()
        ):
            return made


def _block(chance: random.Random, kind: str, lines: int = 12) -> str:
    body = "\n".join("".join(chance.choices(_LETTERS + "+/", k=64)) for _ in range(lines))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def _jwt(chance: random.Random) -> str:
    return f"eyJ{_of(chance, _LETTERS, 30)}.eyJ{_of(chance, _LETTERS, 60)}.{_of(chance, _LETTERS + '_-', 42)}a"


def planted(seed: int = 1) -> dict[str, tuple[str, str]]:
    """Name → (text, the secret in it). The name begins with the kind that the mark is to say."""
    chance = random.Random(seed)

    def some(length: int, alphabet: str = _LETTERS) -> str:
        return _of(chance, alphabet, length)

    tokens = {
        "github-token classic": f"ghp_{some(36)}",
        "github-token app": f"ghs_{some(36)}",
        "github-token fine-grained": f"github_pat_{some(22)}_{some(59)}",
        "gitlab-token": f"glpat-{some(20)}",
        "aws-access-key": f"AKIA{some(16, _UPPER)}",
        "slack-token": f"xoxb-{some(12, string.digits + 'a')}-{some(24)}",
        "slack-webhook": f"https://hooks.slack.com/services/T{some(9)}/B{some(9)}/{some(24)}",
        "stripe-key": f"sk_live_{some(24)}",
        "stripe-key test": f"sk_test_{some(24)}",
        "openai-key": f"sk-proj-{some(48)}",
        "openai-key old": f"sk-{some(48)}",
        "anthropic-key": f"sk-ant-api03-{some(80)}-{some(6)}AA",
        "google-api-key": f"AIza{some(35)}",
        "google-oauth-token": f"GOCSPX-{some(28)}",
        "npm-token": f"npm_{some(36)}",
        "pypi-token": f"pypi-AgEIcHlwaS5vcmc{some(80)}",
        "twilio-key": f"SK{some(32, _HEX)}",
        "sendgrid-key": f"SG.{some(22)}.{some(43)}",
        "telegram-bot-token": f"{chance.randrange(10**8, 10**9)}:AA{some(33)}",
        "discord-webhook": f"https://discord.com/api/webhooks/{chance.randrange(10**17, 10**18)}/{some(68)}",
        "huggingface-token": f"hf_{some(34)}",
        "digitalocean-token": f"dop_v1_{some(64, _HEX)}",
        "heroku-key": f"HRKU-{some(36)}",
        "shopify-token": f"shpat_{some(32, _HEX)}",
        "databricks-token": f"dapi{some(32, _HEX)}",
        "vault-token": f"hvs.{some(90)}",
        "docker-token": f"dckr_pat_{some(27)}",
        "linear-key": f"lin_api_{some(40)}",
        "model-provider-key": f"gsk_{some(52)}",
        "mailchimp-key": f"{some(32, _HEX)}-us14",
        "jwt": _jwt(chance),
        "private-key": _block(chance, "RSA "),
        "private-key openssh": _block(chance, "OPENSSH "),
        "private-key service account": _block(chance, "", 24),
    }
    named = {name: (value, value) for name, value in tokens.items()}
    named["slack-webhook"] = (tokens["slack-webhook"], tokens["slack-webhook"].rpartition("/")[2])
    named["discord-webhook"] = (tokens["discord-webhook"], tokens["discord-webhook"].rpartition("/")[2])
    for name, around, value in (
        ("aws-secret-key", "aws_secret_access_key = {}", some(40, _LETTERS + "+")),
        ("azure-storage-key", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}==;x=y", some(86)),
        ("azure-sas", "https://acct.blob.core.windows.net/c/b?sv=2022-11-02&sig={}%3D", some(43)),
        ("discord-bot-token", "discord login {}", f"M{some(23)}.{some(6)}.{some(30)}"),
        ("database-password", "postgres://app:{}@db.internal:5432/app", some(14)),
        ("database-password mongo", "mongodb+srv://svc:{}@cluster0.example.net/app", some(18)),
        ("url-password", "https://deploy:{}@git.internal/app.git", some(20)),
        ("bearer-token", "Authorization: Bearer {}", some(40)),
        ("basic-auth", "Authorization: Basic {}", some(24)),
        ("password", "DB_PASSWORD={}", f"{some(6)}!{some(6)}"),
        ("password flag", "mysql --user app --password {}", some(12)),
        ("password json", '{{"password": "{}"}}', f"{some(5)}#{some(5)}"),
        ("api-key", "api_key: {}", some(32)),
        ("secret", 'client_secret = "{}"', some(32)),
        ("token", "refresh_token={}", some(43)),
        ("heroku-key old", "heroku auth {}", "-".join(some(n, _HEX) for n in (8, 4, 4, 4, 12))),
    ):
        named[name] = (around.format(value), value)
    return named
