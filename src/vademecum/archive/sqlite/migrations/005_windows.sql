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
