-- Run by the image of PostgreSQL once, when the database is made: the nodes' role owns their database and nothing else.
\set password `cat /run/secrets/database-password`
CREATE ROLE sayso LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE sayso OWNER sayso;
REVOKE ALL ON DATABASE sayso FROM PUBLIC;
