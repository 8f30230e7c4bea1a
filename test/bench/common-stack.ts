import { join } from 'node:path';
import compression from 'compression';
import express, { type Express } from 'express';
import session from 'express-session';
import { pinoHttp } from 'pino-http';
import type * as z from 'zod';
import { RedisStore } from './redis.ts';
import { wholeRecord } from './whole-record.ts';

type Recorded = z.infer<typeof wholeRecord>;

/**
 * The members of a schema that the page prints. A purpose has those of a record's purpose, and its own texts.
 */
interface Schema {
  readonly PortalSettings: { readonly Title: string };
  readonly Purposes: readonly (Recorded['Purposes'][number] & {
    readonly Languages: Recorded['Purposes'][number]['Topics'][number]['Languages'];
  })[];
}

/** A preference center as it is commonly written; it reads the schema once, and `/sign-in` signs in. */
export async function createCommonStack(options: {
  readonly upstream: string;
  readonly schemaPath: string;
  readonly record: { readonly path: string; readonly headers: Readonly<Record<string, string>> };
  readonly redisPort: number;
}): Promise<Express> {
  const { upstream, record } = options;
  const answer = await fetch(upstream + options.schemaPath);
  const schema = (await answer.json()) as Schema;
  const app = express();
  app.set('view engine', 'ejs');
  app.set('views', join(import.meta.dirname, 'views'));
  app.enable('view cache');
  app.use(pinoHttp());
  app.use(compression());
  app.use(
    session({
      store: new RedisStore(options.redisPort),
      secret: 'bench',
      resave: false,
      saveUninitialized: false,
      rolling: true,
      cookie: { maxAge: 1_800_000 },
    }),
  );
  app.get('/sign-in', (request, response) => {
    Object.assign(request.session, { subject: record.headers['identifier'] });
    response.redirect('/');
  });
  app.get('/', async (_request, response) => {
    const read = await fetch(upstream + record.path, { headers: record.headers });
    const purposes = displayed(schema, wholeRecord.parse(await read.json()));
    response.render('common', { title: schema.PortalSettings.Title, purposes });
  });
  return app;
}

/** The model of the template: texts in the page's language, with the person's choices. */
function displayed(schema: Schema, record: Recorded) {
  const byId = new Map(record.Purposes.map((purpose) => [purpose.Id, purpose]));
  return schema.Purposes.map((purpose) => {
    const own = byId.get(purpose.Id);
    const topics = new Set(own?.Topics.map(({ Id }) => Id));
    const options = new Set(own?.CustomPreferences.flatMap(({ Options }) => Options.map(({ Id }) => Id)));
    const { Name, Description } = inEnglish(purpose.Languages);
    return {
      id: purpose.Id,
      name: Name,
      description: Description,
      isOn: own?.TransactionStatus === 'ACTIVE',
      topics: purpose.Topics.map(({ Id, Languages }) => ({
        id: Id,
        name: inEnglish(Languages).Name,
        isOn: topics.has(Id),
      })),
      preferences: purpose.CustomPreferences.map(({ Id, Languages }) => {
        const words = inEnglish(Languages);
        return {
          id: Id,
          name: words.Name,
          description: words.Description,
          options: words.Options.map((option) => ({
            id: option.Id,
            name: option.Label,
            isOn: options.has(option.Id),
          })),
        };
      }),
    };
  });
}

function inEnglish<T extends { readonly Language: string }>(languages: readonly T[]): T {
  const found = languages.find(({ Language }) => Language === 'en-us');
  if (found === undefined) throw new Error('a text is not in English');
  return found;
}
