-- Schema 5; `migrations/` leads older files here. Row ids are composed so that a lineage is a few contiguous ranges in every table:
--   message = run << 24 | position in the lineage        (positions go on across a fork)
--   fact    = message << 16 | number within the message
--   indexed = message << 16 | passage within the message

CREATE TABLE sessions (
  owner    TEXT NOT NULL DEFAULT '',
  session  TEXT NOT NULL,
  source   TEXT NOT NULL DEFAULT '',
  format   TEXT NOT NULL,
  envelope BLOB,                      -- what stands around the messages in the caller's body
  run      INTEGER NOT NULL,          -- the run that the session goes on in
  parent   TEXT,                      -- the session that this one continues
  started  REAL,
  last     REAL,
  PRIMARY KEY (owner, session)
) WITHOUT ROWID;

CREATE TABLE runs (
  run    INTEGER PRIMARY KEY,
  owner  TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL,
  parent INTEGER REFERENCES runs (run),
  fork   INTEGER NOT NULL DEFAULT 0,  -- position of the run's first message
  length INTEGER NOT NULL DEFAULT 0,  -- position after its last one
  node   BLOB NOT NULL                -- id of its last node
);
CREATE INDEX runs_session ON runs (owner, session);

CREATE TABLE messages (
  id     INTEGER PRIMARY KEY,
  node   BLOB NOT NULL,
  short  INTEGER NOT NULL,            -- the first 50 bits of the node's id
  role   TEXT NOT NULL,
  tool   TEXT NOT NULL DEFAULT '',    -- of each call and result in the order of the parts, separated by line feeds
  parts  INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  typed  INTEGER NOT NULL,
  ts     REAL,
  packed INTEGER NOT NULL,            -- 0 as it is, 1 zlib
  wire   BLOB NOT NULL                -- the message's bytes; NUL and 32 bytes stand for a large string of `blobs`
);
CREATE INDEX messages_short ON messages (short);

-- Tokens by stretches of 1,024 positions, so that the size of a long lineage need not be added up message by
-- message. Triggers keep it, whatever writes messages.
CREATE TABLE sizes (
  stretch INTEGER PRIMARY KEY,        -- the message's id >> 10
  tokens  INTEGER NOT NULL
);
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN
  INSERT INTO sizes VALUES (new.id >> 10, new.tokens)
  ON CONFLICT (stretch) DO UPDATE SET tokens = tokens + excluded.tokens;
END;
CREATE TRIGGER messages_changed AFTER UPDATE OF tokens ON messages BEGIN
  UPDATE sizes SET tokens = tokens + new.tokens - old.tokens WHERE stretch = new.id >> 10;
END;
CREATE TRIGGER messages_removed AFTER DELETE ON messages BEGIN
  UPDATE sizes SET tokens = tokens - old.tokens WHERE stretch = old.id >> 10;
END;

-- What a caller made of a message later, in place: newer versions of what stands in `messages`. The latest
-- version counts; one without rows but the tombstone (number −1) left the caller's list. Branches share
-- messages but not what became of them.
CREATE TABLE revisions (
  message INTEGER NOT NULL,
  version INTEGER NOT NULL,
  number  INTEGER NOT NULL,           -- several messages may stand in one's place
  run     INTEGER NOT NULL,           -- the run in which it came about
  node    BLOB NOT NULL,
  short   INTEGER NOT NULL,
  role    TEXT NOT NULL,
  tokens  INTEGER NOT NULL,
  typed   INTEGER NOT NULL,
  packed  INTEGER NOT NULL,
  wire    BLOB NOT NULL,
  PRIMARY KEY (message, version, number)
) WITHOUT ROWID;
CREATE INDEX revisions_short ON revisions (short);

-- Calls by id: the second anchor by which a transcript is recognised.
CREATE TABLE calls (
  call_id TEXT NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (call_id, message)
) WITHOUT ROWID;

CREATE TABLE blobs (
  hash   BLOB PRIMARY KEY,
  size   INTEGER NOT NULL,
  packed INTEGER NOT NULL,
  data   BLOB NOT NULL
) WITHOUT ROWID;

-- Which messages use a string of `blobs`: what nobody uses can go.
CREATE TABLE uses (
  hash    BLOB NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (hash, message)
) WITHOUT ROWID;
CREATE INDEX uses_message ON uses (message);

-- Parts that were removed for good; notices stand in their places.
CREATE TABLE purged (
  message INTEGER NOT NULL,
  part    INTEGER NOT NULL,           -- −1 for all of it
  at      REAL NOT NULL,
  PRIMARY KEY (message, part)
) WITHOUT ROWID;

-- What is still to be erased of sessions that were removed; their runs stay, so that no number is used again.
CREATE TABLE doomed (
  first INTEGER PRIMARY KEY,          -- rows of `messages` from this one
  last  INTEGER NOT NULL              -- to this one are to be erased
);

CREATE TABLE facts (
  id     INTEGER PRIMARY KEY,
  run    INTEGER NOT NULL,
  kind   TEXT NOT NULL,
  source TEXT NOT NULL,
  part   INTEGER NOT NULL,
  parts  INTEGER NOT NULL,
  short  INTEGER NOT NULL,
  weight REAL NOT NULL,
  key    TEXT NOT NULL,
  text   TEXT NOT NULL,
  names  TEXT NOT NULL                -- separated by line feeds
);
CREATE INDEX facts_weight ON facts (run, kind, weight DESC, id DESC);
CREATE INDEX facts_newest ON facts (run, kind, id DESC);

CREATE TABLE names (
  run      INTEGER NOT NULL,
  name     TEXT NOT NULL,
  kind     TEXT NOT NULL,
  messages INTEGER NOT NULL,
  users    INTEGER NOT NULL,
  calls    INTEGER NOT NULL,
  first    INTEGER NOT NULL,
  last     INTEGER NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Contentless: the text stands in `messages` already. Rows leave by the 'delete' command.
CREATE VIRTUAL TABLE passages USING fts5 (text, content = '', tokenize = 'unicode61 remove_diacritics 2');

CREATE TABLE views (
  run  INTEGER NOT NULL,
  view TEXT NOT NULL,
  head INTEGER NOT NULL,              -- the compaction that it stands on, 0 for none
  PRIMARY KEY (run, view)
) WITHOUT ROWID;

CREATE TABLE compactions (
  id        INTEGER PRIMARY KEY,
  run       INTEGER NOT NULL,
  view      TEXT NOT NULL,
  cycle     INTEGER NOT NULL,
  parent    INTEGER REFERENCES compactions (id),
  folded    INTEGER NOT NULL,         -- positions before it (after the head) have left
  cut       INTEGER NOT NULL,         -- positions before it leave in the next cycle at the latest
  covered   INTEGER NOT NULL,         -- positions from it on were appended later
  tokens    INTEGER NOT NULL,
  packed    INTEGER NOT NULL,
  emitted   BLOB NOT NULL,            -- what was sent, piece by piece: never rendered again
  narrative TEXT NOT NULL DEFAULT '',
  receipt   TEXT NOT NULL,
  created   REAL
);
CREATE INDEX compactions_run ON compactions (run, view, cycle);

CREATE TABLE state (
  owner TEXT NOT NULL DEFAULT '',
  scope TEXT NOT NULL,                -- a session, an endpoint and model, …
  key   TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (owner, scope, key)
) WITHOUT ROWID;

-- What providers reported, a row a call.
CREATE TABLE usage (
  owner     TEXT NOT NULL DEFAULT '',
  session   TEXT NOT NULL,
  number    INTEGER NOT NULL,         -- of the call in its session, from 1
  at        REAL NOT NULL,
  kind      TEXT NOT NULL,            -- reply, or summary for a call that a compaction made
  model     TEXT NOT NULL,
  cycle     INTEGER NOT NULL,         -- the cycle that its context stood on
  prompt    INTEGER NOT NULL,         -- all prompt tokens, cached ones included
  cached    INTEGER NOT NULL,
  written   INTEGER NOT NULL,
  output    INTEGER NOT NULL,         -- reasoning included
  reasoning INTEGER NOT NULL,
  PRIMARY KEY (owner, session, number)
) WITHOUT ROWID;

-- What servers said of their models' windows, and what their errors taught: a row each for a model at an endpoint.
CREATE TABLE windows (
  endpoint   TEXT NOT NULL,
  model      TEXT NOT NULL,
  learned    INTEGER NOT NULL,        -- 0 what the server answered, 1 what its errors taught
  standing   TEXT NOT NULL,           -- runtime, announced, bound; learned
  tokens     INTEGER,
  max_output INTEGER,
  against    INTEGER NOT NULL,        -- for what was learned: the server's figure that was wrong, 0 for none
  source     TEXT NOT NULL,
  at         REAL NOT NULL,
  PRIMARY KEY (endpoint, model, learned)
) WITHOUT ROWID;
