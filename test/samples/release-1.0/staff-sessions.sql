CREATE TABLE session (
     id TEXT PRIMARY KEY,
     payload TEXT,
     made_at INTEGER NOT NULL,
     touched_at INTEGER NOT NULL,
     ends_at INTEGER NOT NULL
   ) STRICT;
CREATE TABLE session_subject (
     subject TEXT NOT NULL,
     session TEXT NOT NULL,
     PRIMARY KEY (subject, session)
   ) STRICT, WITHOUT ROWID;
CREATE TABLE farewell (subject TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "session" VALUES ('OecFwdDptZ2eee7G0iD-4Tjcec_v2aJXZtV3n5tfOL8', NULL, 1795328688762, 1795328688762, 1795358388762);
INSERT INTO "session" VALUES ('tL5XEHDJBCYeO8a-ElCJw6Lt6EOCN8xFiqUtFzNV1fY', '6AiyUrgy5RgWvhyao-ndoKKi1O_EF_5k0TXYQoWE9DkO0U1byYJNkW7OF0EWduJTx73qnVEgctrG37EQaj6k9kIs_3UrsXlVX6xZYM4qybcpMaXJf4ipy8CDtAsxeEjh_MzcgFD-Dl_zOpXgDv_c_CIz43TFjXGW3XsHnQvRnsNgR83GfSkHQIS_t8hZtlDwVCxTylsLViyw8bBO9ohYhC1l6aECkd7u59db74LDarnAP4mY6xRTmJ1knxYXgPr5HKsQzy_Ca0UlmfHJkFEdMKmgZrPDWU_SUnFMx_bcHB29QFoH2nOsR53RbSdy50LWvDxKKczpstsDyi3Reti3DpmXgkHzQ-W6Hs_RdMr5q3qpvoO-QBEhNooBM1-D', 1795328688763, 1795328688785, 1795329588785);
CREATE INDEX session_end ON session (ends_at);
CREATE INDEX session_subject_session ON session_subject (session);
PRAGMA user_version = 3;
PRAGMA journal_mode = wal;
