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
