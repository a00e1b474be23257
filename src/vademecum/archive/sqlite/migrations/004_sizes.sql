-- Tokens by stretches of 1,024 positions, so that the size of a long lineage need not be added up message by message.
CREATE TABLE sizes (
  stretch INTEGER PRIMARY KEY,        -- the message's id >> 10
  tokens  INTEGER NOT NULL
);
INSERT INTO sizes SELECT id >> 10, sum(tokens) FROM messages GROUP BY id >> 10;

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
