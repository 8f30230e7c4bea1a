CREATE TABLE spent (id TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT;
INSERT INTO "spent" VALUES ('JOgp4kjBlBdwrUcSU_dYcbEsE_TbaJqzkqUix7T2RfI', 1795329027000);
CREATE INDEX spent_until ON spent (until);
PRAGMA user_version = 1;
PRAGMA journal_mode = wal;
