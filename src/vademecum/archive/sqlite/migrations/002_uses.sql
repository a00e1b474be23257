-- Which messages use a string that is stored once, so that removing one knows what nobody else needs;
-- what was removed for good; and what is still to be erased of sessions that were removed.
CREATE TABLE uses (
  hash    BLOB NOT NULL,
  message INTEGER NOT NULL,
  PRIMARY KEY (hash, message)
) WITHOUT ROWID;
CREATE INDEX uses_message ON uses (message);

CREATE TABLE purged (
  message INTEGER NOT NULL,
  part    INTEGER NOT NULL,           -- −1 for all of it
  at      REAL NOT NULL,
  PRIMARY KEY (message, part)
) WITHOUT ROWID;

CREATE TABLE doomed (
  first INTEGER PRIMARY KEY,          -- rows of `messages` from this one
  last  INTEGER NOT NULL              -- to this one are to be erased
);

INSERT INTO uses SELECT DISTINCT digest(value), messages.id FROM messages, json_each(digests(packed, wire));
