CREATE TABLE audit (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     staff TEXT,
     name TEXT NOT NULL,
     does TEXT NOT NULL,
     about TEXT,
     outcome TEXT NOT NULL
   ) STRICT;
CREATE TABLE recent_task (
     staff TEXT NOT NULL,
     task TEXT NOT NULL,
     name TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (staff, task)
   ) STRICT;
CREATE TABLE form (
     nonce TEXT PRIMARY KEY,
     at INTEGER NOT NULL,
     result TEXT
   ) STRICT;
INSERT INTO "audit" VALUES (1, 1795328688762, 'one-time-address', 'Sandbox staff', 'signed in', 'by the one-time address', 'done');
INSERT INTO "audit" VALUES (2, 1795328688813, 'one-time-address', 'Sandbox staff', 'opened the staff pages', NULL, 'done');
INSERT INTO "audit" VALUES (3, 1795328688898, 'one-time-address', 'Sandbox staff', 'listed the submissions', NULL, 'done');
DELETE FROM sqlite_sequence WHERE name = 'audit';
INSERT INTO sqlite_sequence VALUES ('audit', 3);
CREATE INDEX audit_at ON audit (at);
PRAGMA user_version = 1;
PRAGMA journal_mode = wal;
