import { personMark } from '../core/model/staff/audit-entry.ts';
import type { Journal } from '../ports/journal.ts';
import type { PersonData, PersonExport } from '../ports/person-data.ts';
import type { StaffLog } from '../ports/staff-log.ts';
import { isIn } from './dialect.ts';
import { personHashes, sealedEvent } from './journal-seal.ts';
import { centersOf, ownSubmissions, type PersonStores, withdrawn } from './person-erasure.ts';
import { peopleOf, readPersonKeys } from './person-keys.ts';
import { type Columns, reading } from './sql.ts';

const eventsOf = reading<Columns<'id' | 'payload', string>>`
  SELECT id, payload FROM event WHERE ${isIn('reference', 'references')} ORDER BY sequence`;
const tasksOf = reading<PersonExport['tasks'][number]>`
  SELECT reference, task FROM stuck_task WHERE ${isIn('reference', 'references')}`;
const linksOf = reading<PersonExport['hostedLinks'][number]>`
  SELECT made_at AS "madeAt", ends_at AS "endsAt" FROM hosted_link WHERE ${isIn('person', 'people')}
    ORDER BY made_at`;
const sessionsOf = reading<PersonExport['sessions'][number]>`
  SELECT made_at AS "madeAt", ends_at AS "endsAt" FROM session WHERE store = 'visitors'
    AND payload IS NOT NULL AND id IN (
    SELECT session FROM session_subject WHERE store = 'visitors' AND ${isIn('subject', 'subjects')})
  ORDER BY made_at`;
const passcodesOf = reading<PersonExport['passcodes'][number]>`
  SELECT center, ends_at AS "endsAt" FROM passcode WHERE ${isIn('person', 'people')} ORDER BY ends_at`;

/** A limit that is above the rows of any person. */
const most = 1_000_000;

export interface ExportOptions extends PersonStores {
  readonly people: Pick<Journal, 'list' | 'personOf'>;
  readonly staffLog: Pick<StaffLog, 'list'>;
}

export function personExport(options: ExportOptions): PersonData['exported'] {
  const { journal, sessions, hostedLinks, seal, people, staffLog } = options;

  return async (subject): Promise<PersonExport> => {
    const hashes = personHashes(seal, subject);
    const rows = await journal.all(ownSubmissions, { subjects: hashes.subjects });
    const references = rows.map(({ reference }) => reference);
    const person = await people.personOf(subject);
    const centers = centersOf(options, rows, person === undefined ? [] : [person]);
    const { keys } = await readPersonKeys(journal, seal);
    const centerOf = new Map(
      keys.flatMap((key) => [...centers].map((center) => [peopleOf(key, center)(subject), center] as const)),
    );
    const words = await journal.all(withdrawn, { people: [...centerOf.keys()] });
    const marks = seal.hashes('staff audit', subject).map(personMark);
    const staff = [];
    for (const text of marks) staff.push(...(await staffLog.list({ text, limit: most })));
    const events = await journal.all(eventsOf, { references });
    return {
      identifier: subject,
      submissions: await people.list({ subject, limit: most }),
      wants: person && { desired: person.desired, open: person.open },
      withdrawn: words.map(({ person: hash, purpose }) => ({ center: centerOf.get(hash) ?? '', purpose })),
      events: events.flatMap(({ id, payload }) => sealedEvent.open(seal, id, payload) ?? []),
      hostedLinks: await hostedLinks.all(linksOf, { people: hashes.hostedLinks }),
      sessions: await sessions.all(sessionsOf, { subjects: hashes.sessions }),
      passcodes: await sessions.all(passcodesOf, { people: hashes.passcodes }),
      tasks: await journal.all(tasksOf, { references }),
      staff,
    };
  };
}
