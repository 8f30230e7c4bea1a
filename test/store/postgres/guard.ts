/** A number of rows that no statement may change. */
const mostChanged = 2_000;

/** A trigger refuses a statement that changes more, so that no test depends on the machine's speed. */
export const guard = `
  CREATE FUNCTION too_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM (SELECT 1 FROM touched LIMIT ${mostChanged + 1}) AS part) > ${mostChanged} THEN
      RAISE 'one statement changes more than ${mostChanged} rows of %', TG_TABLE_NAME;
    END IF;
    RETURN NULL;
  END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('CREATE TRIGGER not_too_many_updated AFTER UPDATE ON %I REFERENCING OLD TABLE AS touched
        FOR EACH STATEMENT EXECUTE FUNCTION too_many()', name);
      EXECUTE format('CREATE TRIGGER not_too_many_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS touched
        FOR EACH STATEMENT EXECUTE FUNCTION too_many()', name);
    END LOOP;
  END $$`;
