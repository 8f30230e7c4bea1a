/** The sandbox's record of a person, in the platform's own words (GET …/datasubjects/preferences). */
export interface SubjectAnswer {
  readonly DataSubjectId: string;
  readonly Language?: string;
  readonly Status: number;
  readonly Purposes: readonly SubjectPurpose[];
  readonly DsDataElements: Readonly<Record<string, string>>;
}

export interface SubjectPurpose {
  readonly Id: string;
  readonly Label?: string;
  readonly TransactionStatus: string;
  readonly Topics?: readonly { readonly Id: string }[];
  readonly CustomPreferences?: readonly {
    readonly Id: string;
    readonly Options?: readonly { readonly Id: string }[];
  }[];
}

/** A call that the sandbox answered. */
export interface SandboxCall {
  readonly number: number;
  /** The time of the call, ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly identifier?: string;
  readonly body?: unknown;
  readonly status: number;
}

/** A ready-made person of the sandbox's data folder. */
export interface SandboxPerson {
  readonly center: string;
  readonly centerName: string;
  readonly template: string;
  readonly identifier: string;
  readonly language: string;
  readonly description: string;
}

export type SandboxClient = ReturnType<typeof createSandboxClient>;

export interface OutsideChange {
  readonly center: string;
  readonly identifier: string;
  readonly Purposes: readonly {
    readonly Id: string;
    readonly TransactionStatus: string | null;
    readonly Topics?: readonly { readonly Id: string }[];
    readonly CustomPreferences?: readonly {
      readonly Id: string;
      readonly Options: readonly { readonly Id: string }[];
    }[];
  }[];
}

const preferencesOf = (center: string) =>
  `/api/consentmanager/v1/preferencecenters/${center}/datasubjects/preferences`;

export function createSandboxClient(
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
) {
  let token: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = await fetch(`${url}/api/access/v1/oauth/token`, { method: 'POST', body });
    const { access_token: value } = (await answer.json()) as { access_token?: string };
    if (value === undefined) throw new Error(`the sandbox gave no token: ${answer.status}`);
    return value;
  }

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (typeof init.body === 'string' && !headers.has('content-type'))
      headers.set('content-type', 'application/json');
    const ask = async () => {
      token ??= fetchToken().catch((fault: unknown) => {
        token = undefined;
        throw fault;
      });
      headers.set('authorization', `Bearer ${await token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    };
    const answer = await ask();
    if (answer.status !== 401) return answer;
    token = undefined;
    return ask();
  }

  async function control<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await fetch(`${url}/_sandbox${path}`, init);
    if (!answer.ok)
      throw new Error(`${init?.method ?? 'GET'} /_sandbox${path}: ${answer.status} ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  return {
    /** An authorized call of the platform's interface. */
    call,
    /** Reads the person by the sandbox's own GET. */
    async subject(center: string, identifier: string): Promise<SubjectAnswer> {
      const answer = await call(preferencesOf(center), { headers: { identifier } });
      if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as SubjectAnswer;
    },
    /** Subscribes a person by the platform's interface, as another system of the customer does. */
    async subscribe(center: string, identifier: string, ...purposes: readonly string[]): Promise<void> {
      const body = JSON.stringify({ Purposes: purposes.map((Id) => ({ Id })) });
      const answer = await call(preferencesOf(center), { method: 'PUT', headers: { identifier }, body });
      if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`);
      await answer.body?.cancel();
    },
    people: () => control<SandboxPerson[]>('/subjects'),
    /** Calls, oldest first; `match` selects by members, such as `{ operation: 'update-subject' }`. */
    calls: (match: Readonly<Record<string, string>> = {}) =>
      control<SandboxCall[]>(`/calls?${new URLSearchParams(match)}`),
    clearCalls: () => control<void>('/calls', { method: 'DELETE' }),
    /** Makes the platform misbehave until `clearFaults`, or until the returned function is called. */
    async addFault(fault: Readonly<Record<string, unknown>>): Promise<() => Promise<void>> {
      const [{ id }] = await control<[{ id: number }]>('/faults', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      return () => control(`/faults/${id}`, { method: 'DELETE' });
    },
    clearFaults: () => control<void>('/faults', { method: 'DELETE' }),
    /** Sets the quota from now on; `headers: 'always'` tells it in every answer. */
    allow: (quota: { perMinute?: number; perHour?: number; headers?: 'always' | 'when-limited' }) =>
      control<void>('/quota', { method: 'PUT', body: JSON.stringify(quota) }),
    /** Uses up quota, as another program does that makes so many calls. */
    useUp: (used: { calls: number; operation?: string }) =>
      control<void>('/quota/used', { method: 'POST', body: JSON.stringify(used) }),
    /** The number of calls that wait to be applied late. */
    waiting: async () => (await control<{ waiting: number }>('/late')).waiting,
    /** Applies all calls that wait (fault `late`) in their order, and resolves after the last. */
    release: () => control<void>('/late', { method: 'POST' }),
    /** Changes a record past the interface, to any TransactionStatus; null removes the purpose. */
    change: (change: OutsideChange) =>
      control<SubjectAnswer>('/subjects', { method: 'PATCH', body: JSON.stringify(change) }),
    /** Replaces a file of a center (`preferences`, `schema`, `pages/<id>`), also for later starts. */
    replace: (center: string, file: string, content: unknown) =>
      control<void>(`/centers/${center}/${file}`, { method: 'PUT', body: JSON.stringify(content) }),
    /** Restores all replaced files of a center. */
    putBack: (center: string) => control<void>(`/centers/${center}`, { method: 'DELETE' }),
  };
}
