import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Product, startProduct } from '../../kit/product.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';

const harbour = 'b00c5000-0000-4000-8000-000000000001';
const guid = (end: string) => `123e4567-e89b-12d3-a456-4266141740${end}`;
const save = { name: 'action', value: 'save' };

let product: Product;
let staff: Visitor;

before(async () => {
  product = await startProduct();
  staff = createVisitor(product.url);
  const address = /^Staff: (\S+)$/m.exec(product.output())?.[1] ?? assert.fail('no address was printed');
  assert.equal((await staff.open(new URL(address).pathname + new URL(address).search)).status, 200);
});

after(() => product.stop());

describe('The door of the staff pages', () => {
  test('opens once by the printed address, and to nobody else', async () => {
    const address = /^Staff: (\S+)$/m.exec(product.output())?.[1] ?? '';
    const late = await createVisitor(product.url).open(new URL(address).pathname + new URL(address).search);
    assert.equal(late.status, 410);
    for (const path of ['/staff', '/staff/tasks', '/staff/submissions', '/staff/audit']) {
      assert.equal((await createVisitor(product.url).open(path)).status, 401, path);
    }
  });

  test('is closed to a person, and staff are nobody in a center', async () => {
    const person = createVisitor(product.url);
    await person.open(await product.link({ center: harbour, identifier: 'anna@example.org' }));
    assert.equal((await person.get(`/centers/${harbour}`)).status, 200);
    assert.equal((await person.get('/staff/tasks')).status, 401);
    assert.notEqual((await staff.get(`/centers/${harbour}`)).status, 200);
  });

  test('refuses a form without its token, and one from another site', async () => {
    assert.equal((await staff.post('/staff/tasks/new', [['taskName', 'x']])).status, 400);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
    assert.equal((await staff.post('/staff/tasks/new', [['taskName', 'x']], foreign)).status, 403);
  });
});

/** Field of the form, what is typed, and where it is found in the request that the sandbox received. */
const typed: readonly (readonly [field: string, text: string, member: string, sent: unknown])[] = [
  ['taskName', 'Review the register', 'taskName', 'Review the register'],
  ['description', 'All of it, please.', 'description', 'All of it, please.'],
  ['parentEntityId', guid('00'), 'parentEntityId', guid('00')],
  ['orgGroupId', guid('01'), 'orgGroupId', guid('01')],
  ['taskTypeNameKey', 'Issue', 'taskTypeNameKey', 'Issue'],
  ['assigneeId', guid('02'), 'assigneeId', guid('02')],
  ['assigneeEmail', 'robin@example.org', 'assigneeEmail', 'robin@example.org'],
  ['sourceType', 'RULES', 'sourceType', 'RULES'],
  ['sourceId', guid('03'), 'sourceId', guid('03')],
  ['resourceId', guid('04'), 'resourceId', guid('04')],
  ['resourceTypeNameKey', 'Record', 'resourceTypeNameKey', 'Record'],
  ['deadline', '2027-03-04', 'deadline', '2027-03-04T17:30:00Z'],
  ['deadline-time', '17:30', 'deadline', '2027-03-04T17:30:00Z'],
  ['collaborators.0.collaboratorId', guid('05'), 'collaborators.0.collaboratorId', guid('05')],
  [
    'collaborators.0.collaboratorEmail',
    'kim@example.org',
    'collaborators.0.collaboratorEmail',
    'kim@example.org',
  ],
  ['parameters.0.name', 'case', 'context.parameters.case', 'A 17'],
  ['parameters.0.value', 'A 17', 'context.parameters.case', 'A 17'],
];

const chosen: readonly (readonly [field: string, value: string, member: string, sent: unknown])[] = [
  ['moduleSource', 'ASSESSMENT', 'moduleSource', 'ASSESSMENT'],
  ['collaborators.0.type', 'group', 'collaborators.0.type', 'GROUP'],
];

interface Stored {
  readonly task: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly request: Readonly<Record<string, unknown>>;
}

async function storedTasks(): Promise<readonly Stored[]> {
  return (await fetch(`${product.sandboxUrl}/_sandbox/tasks`)).json() as Promise<Stored[]>;
}

function member(of: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], of);
}

describe('A task', () => {
  let shown: Answer;
  let stored: Stored;

  before(async () => {
    const page = await staff.open('/staff/tasks/new');
    shown = await staff.submit(
      page,
      (form) => {
        for (const [field, text] of typed) form.type(field, text);
        for (const [field, value] of chosen) form.choose(field, value);
        form.tick('isRequired');
      },
      save,
    );
    assert.equal(shown.status, 200);
    const id = new URL(shown.url).pathname.split('/').at(-1);
    stored = (await storedTasks()).find(({ task }) => task.id === id) ?? assert.fail('no such task');
  });

  for (const [field, , path, sent] of [...typed, ...chosen]) {
    test(`arrives at the platform with its ${field}`, () => {
      assert.deepEqual(member(stored.request, path), sent);
    });
  }

  test('is shown again with what the platform says of it', () => {
    for (const said of ['Review the register', 'All of it, please.', guid('00'), guid('02'), 'RULES']) {
      assert.ok(shown.text.includes(said), said);
    }
    assert.equal(stored.task['status'], 'Open');
    assert.equal(stored.task['isRequired'], true);
  });

  test('is edited, closed and opened again, each by a form of its own', async () => {
    const home = new URL(shown.url).pathname;
    const edit = await staff.open(`${home}/edit`);
    const edited = await staff.submit(edit, (form) => form.type('taskName', 'Review it twice'), save);
    assert.ok(edited.text.includes('Review it twice'));
    const now = async () => (await storedTasks()).find(({ task }) => task.id === stored.task.id)?.task;
    assert.equal((await now())?.['taskName'], 'Review it twice');

    for (const [turn, status] of [
      ['close', 'Closed'],
      ['reopen', 'Open'],
    ] as const) {
      const before = (await now())?.['status'];
      const question = await staff.open(`${home}/${turn}`);
      assert.equal((await now())?.['status'], before, 'a question changed something');
      await staff.submit(question, () => undefined);
      assert.equal((await now())?.['status'], status);
    }
  });

  test('is found by its id, and again among those recently used', async () => {
    const home = new URL(shown.url).pathname;
    assert.equal((await staff.open(home)).status, 200);
    assert.ok((await staff.open('/staff/tasks')).text.includes(home));
    assert.equal((await staff.open(`/staff/tasks/${guid('99')}`)).status, 404);
  });
});

/** Most characters of each field (interface.md, Limits). */
const limits: readonly (readonly [field: string, most: number])[] = [
  ['taskName', 512],
  ['description', 2_000],
  ['taskTypeNameKey', 100],
  ['sourceType', 16],
  ['resourceTypeNameKey', 100],
];

describe('A limit of the interface', () => {
  const minimal = [
    ['taskName', 'x'],
    ['parentEntityId', guid('00')],
    ['orgGroupId', guid('01')],
  ] as const;

  for (const [field, most] of limits) {
    test(`lets ${field} have ${most} characters, and not one more; nothing typed is lost`, async () => {
      const send = async (text: string) => {
        const page = await staff.open('/staff/tasks/new');
        const fill = new Map<string, string>([...minimal, [field, text]]);
        return staff.submit(page, (form) => [...fill].map(([name, value]) => form.type(name, value)), save);
      };
      const within = await send('a'.repeat(most));
      assert.equal(within.status, 200);
      assert.match(new URL(within.url).pathname, /^\/staff\/tasks\/[0-9a-f-]{36}$/);
      const count = (await storedTasks()).length;
      const beyond = await send('a'.repeat(most + 1));
      assert.equal(beyond.status, 422);
      assert.ok(beyond.text.includes('a'.repeat(most + 1)));
      assert.ok(beyond.text.includes(guid('00')));
      assert.equal((await storedTasks()).length, count);
    });
  }

  for (const [field, text] of [
    ['parentEntityId', 'not an id'],
    ['assigneeId', '123'],
    ['assigneeEmail', `${'a'.repeat(250)}@example.org`],
    ['taskName', ''],
  ] as const) {
    test(`refuses ${field} "${text.slice(0, 12)}" on the same page`, async () => {
      const fill = new Map<string, string>([...minimal, [field, text]]);
      const page = await staff.open('/staff/tasks/new');
      const again = await staff.submit(
        page,
        (form) => [...fill].map(([name, value]) => form.type(name, value)),
        save,
      );
      assert.equal(again.status, field === 'taskName' ? again.status : 422);
      if (text !== '') assert.ok(again.text.includes(text));
    });
  }
});

describe('Notices', () => {
  test('are listed by pages that the address keeps, each with its versions', async () => {
    const list = await staff.open('/staff/notices?size=5');
    const links = [...list.text.matchAll(/href="(\/staff\/notices\/[0-9a-f-]{36})/g)].map(
      ([, href]) => href ?? '',
    );
    assert.equal(new Set(links).size, 5);
    const next = await staff.open('/staff/notices?size=5&page=2');
    assert.ok(!next.text.includes(links[0] ?? assert.fail('no notice')));
    assert.equal((await staff.open(links[0] ?? '')).status, 200);
  });

  test('answer which version was active before a day', async () => {
    const answer = await product.sandbox.call('/api/privacynotice/v2/privacynotices?size=50');
    const { content } = (await answer.json()) as {
      content: { id: string; versions: { status: string; publishedDate: string | null }[] }[];
    };
    const notice = content.find(({ versions }) => versions.some(({ status }) => status === 'ACTIVE'));
    assert.ok(notice !== undefined);
    const published = notice.versions.find(({ status }) => status === 'ACTIVE')?.publishedDate ?? '';
    const page = await staff.open(`/staff/notices/${notice.id}`);
    assert.equal(page.status, 200);
    assert.ok(page.text.includes(published.slice(0, 4)));
  });
});

describe('Centers', () => {
  test('are listed with what the linter finds, and previewed without anything that could be sent', async () => {
    const list = await staff.open('/staff/centers');
    for (const name of ['Harbour Books', 'Alster Bank', 'Lindgren University']) {
      assert.ok(list.text.includes(name), name);
    }
    const center = await staff.open(`/staff/centers/${harbour}`);
    assert.equal(center.status, 200);
    assert.match(center.text, /\bit\b/);
    await product.sandbox.clearCalls();
    const preview = await staff.open(`/staff/centers/${harbour}/preview?lang=ar&state=mixed`);
    assert.equal(preview.status, 200);
    assert.match(preview.text, /<html lang="ar" dir="rtl"/);
    assert.doesNotMatch(preview.text, /name="token"/);
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);
  });
});

describe('Submissions', () => {
  test('are found by state and by the person, who is never named in an address', async () => {
    const person = createVisitor(product.url);
    const page = await person.open(await product.link({ center: harbour, identifier: 'salma@example.org' }));
    const off =
      /name="purpose"[^>]*value="([^"]+)"[^>]*checked/.exec(page.text)?.[1] ?? assert.fail('nothing on');
    const result = await person.submit(page, (form) => form.untick('purpose', off), {
      name: 'action',
      value: 'save',
    });
    const reference = new URL(result.url).pathname.split('/').at(-1) ?? '';
    const list = await staff.open('/staff/submissions?state=done');
    assert.ok(list.text.includes(reference));
    assert.doesNotMatch(list.text, /salma@example\.org/);
    const details = await staff.open(`/staff/submissions/${reference}`);
    assert.equal(details.status, 200);
    assert.ok(details.text.includes(off));
    const csv = await staff.open('/staff/submissions.csv');
    assert.match(String(csv.headers['content-type']), /text\/csv/);
    assert.ok(csv.text.includes(reference));
  });
});

describe('The audit log', () => {
  test('says who did what', async () => {
    const page = await staff.open('/staff/audit');
    assert.equal(page.status, 200);
    for (const done of ['created a task', 'listed the submissions', 'signed in']) {
      assert.ok(page.text.includes(done), done);
    }
  });
});

/** Last: until the wait is over, no staff page asks the platform. */
describe('A limit of requests', () => {
  const minimal = [
    ['taskName', 'x'],
    ['parentEntityId', guid('00')],
    ['orgGroupId', guid('01')],
  ] as const;

  test('of two seconds is waited out in full, and then the same form goes through', async () => {
    await product.sandbox.addFault({ kind: '429', operation: 'create-task', count: 1, retryAfter: 2 });
    await product.sandbox.clearCalls();
    const page = await staff.open('/staff/tasks/new');
    const began = performance.now();
    let answer = await staff.submit(
      page,
      (form) =>
        minimal.map(([name, value]) => form.type(name, name === 'taskName' ? 'After a while' : value)),
      save,
    );
    assert.equal(answer.status, 503);
    while (answer.status === 503 && performance.now() - began < 20_000) {
      assert.ok(answer.text.includes('After a while'));
      await pause(200);
      answer = await staff.submit(answer, () => undefined, save);
    }
    assert.equal(answer.status, 200);
    const [refused, made, more] = await product.sandbox.calls({ operation: 'create-task' });
    assert.ok(refused !== undefined && made !== undefined && more === undefined);
    assert.ok(Date.parse(made.at) - Date.parse(refused.at) >= 2_000, 'asked again too early');
  });

  test('is shown with its wait, and nothing typed is lost', async () => {
    await product.sandbox.addFault({ kind: '429', operation: 'create-task', count: 1, retryAfter: 3_600 });
    await product.sandbox.clearCalls();
    const page = await staff.open('/staff/tasks/new');
    const fill = (form: { type(name: string, text: string): unknown }) => {
      for (const [name, value] of minimal) form.type(name, name === 'taskName' ? 'Keep what I wrote' : value);
    };
    const refused = await staff.submit(page, fill, save);
    assert.equal(refused.status, 503);
    assert.ok(refused.text.includes('Keep what I wrote'));
    const again = await staff.submit(refused, () => undefined, save);
    assert.equal(again.status, 503);
    assert.ok(again.text.includes('Keep what I wrote'));
    const calls = await product.sandbox.calls({ operation: 'create-task' });
    assert.equal(calls.length, 1, 'the platform was asked before the wait was over');
  });
});
