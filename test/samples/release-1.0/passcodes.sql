CREATE TABLE passcode (
     id TEXT PRIMARY KEY,
     link TEXT NOT NULL UNIQUE,
     code TEXT NOT NULL,
     center TEXT NOT NULL,
     subject TEXT NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     ends_at INTEGER NOT NULL,
     spent_at INTEGER
   ) STRICT;
INSERT INTO "passcode" VALUES ('bfwi1fMJlh1v9hCZm5iFGo1m', 'DA474ZPLFM7z0uSVIMubKizymE4id3KcxIWg2hdIuL8', 'ni3EOdKcVTgTdL-ZzZykJfa6vEW61ft8VvIsfP9PxIQ', 'b00c5000-0000-4000-8000-000000000001', '6AiyUoHFcOGveso_KCUiomBgu_AXbf6ZUeE8HBHvlSLco4iKUVzAttYBWtEpl8Boyc4', 0, 1795329288725, NULL);
CREATE INDEX passcode_end ON passcode (ends_at);
PRAGMA user_version = 1;
PRAGMA journal_mode = wal;
