import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { Problem } from '../../core/model/problem.ts';
import type { AuditOutcome } from '../../core/model/staff/audit-entry.ts';
import { type Member, mayDo, type Role } from '../../core/model/staff/staff-member.ts';
import { formBody } from '../../web/body.ts';
import { sealedToken } from '../../web/sealed-token.ts';
import type { NamingParts } from './names.ts';
import { type Page, type StaffPageContext, staffPage } from './page.ts';
import type { StaffParts } from './parts.ts';
import { buildRefusedPage, buildSignInPage, type UnsentForm } from './plain.ts';

/** Fields of a posted form. */
type Form = Readonly<Record<string, readonly string[]>>;

/** One request of a member who may make it, and all that it takes to answer. */
export type Call = ReturnType<typeof callOf>;

interface CallInput {
  readonly request: Request;
  readonly response: Response;
  readonly member: Member;
  readonly form: Form;
  /** The nonce of the posted form's token. */
  readonly nonce: string;
  /** For the audit log. */
  readonly said: string[];
}

function callOf(parts: NamingParts, given: CallInput) {
  const { request, response, form, said } = given;
  return {
    ...parts,
    ...given,
    /** A part of the path; '' when there is none. */
    parameter: (name: string) => String(request.params[name] ?? ''),
    /** A text of the address's query; '' when there is none. */
    query: (name: string) => queryText.parse(request.query[name]),
    /** What the address asks a list for: one of `queries`. */
    asked: <Schema extends z.ZodType>(query: Schema): z.output<Schema> => query.parse(request.query),
    /** The first value of a field of a posted form; '' when there is none. */
    field: (name: string) => form[name]?.[0] ?? '',
    show: (page: Page, status?: number) => showPage(parts, { response, page, status }),
    /** Says in the audit log what this was about, beside the parts of the path: ids, never a person's identifier. */
    about: (what: string) => void said.push(what),
  };
}

export type Handle = (call: Call) => Promise<void> | void;

/** `does`: for the audit log. */
export type Route = readonly [
  method: 'get' | 'post',
  path: string,
  needs: Role,
  does: string,
  handle: Handle,
];

const formToken = sealedToken({
  use: 'staff form',
  schema: z.object({ nonce: z.string(), member: z.string() }),
  // What was typed in the evening can be sent in the morning.
  maxAgeMs: 24 * 60 * 60 * 1000,
});

const queryText = z.string().catch('');

const formShape = z.record(
  z.string(),
  z.preprocess((value) => [value].flat(), z.array(z.string())),
);

/** The only way to a route of the staff: each says which role it needs and what the audit log calls it. */
export function addRoute(router: Router, parts: NamingParts, route: Route): void {
  const [method, path, needs] = route;
  const guarded = guard(parts, route);
  if (method === 'get') return void router.get(path, guarded);
  /**
   * Before a form is read: a member with the role may send it. So may a browser whose session has ended, since what was
   * typed there is kept for after the sign-in. The guard answers anybody else without a form.
   */
  async function right(request: Request, response: Response) {
    const member = parts.sessions.memberOf(request);
    if (member === undefined ? parts.sessions.wasThere(request) : mayDo(member, needs)) return undefined;
    await guarded(request, response);
    return 'answered' as const;
  }
  router.post(path, formBody({ right, size: 'page' }), guarded);
}

/** Reads the member, checks their role and the form's origin, writes the act down; only then does it. */
function guard(parts: NamingParts, [method, , needs, does, handle]: Route) {
  const { sessions, log, clock, ways } = parts;
  return async (request: Request, response: Response): Promise<void> => {
    const member = sessions.memberOf(request);
    const answer = (page: Page, status: number) => showPage(parts, { response, page, status });
    const isPost = method === 'post';
    const form = isPost ? formShape.safeParse(request.body ?? {}).data : {};
    if (member === undefined) {
      const unsent = unsentIn(request, form);
      if (unsent !== undefined) return answer(buildSignInPage(ways, 'unsent', unsent), 401);
      return answer(buildSignInPage(ways, sessions.wasThere(request) ? 'ended' : 'closed'), 401);
    }
    const path = Object.values(request.params).join(' ');
    const entry = { at: clock.now(), staff: member.id, name: member.name, does };
    if (!mayDo(member, needs)) {
      await log.begin({ ...entry, about: path || undefined, outcome: 'refused' });
      return answer(buildRefusedPage(member, needs), 403);
    }
    if (form === undefined) throw new Problem('bad-request');
    // Of an earlier session, too: nothing typed is lost when it ends meanwhile.
    const token = isPost ? formToken.open(parts, form['token']?.[0]) : { member: member.id, nonce: '' };
    if (token?.member !== member.id) throw new Problem('form-refused');

    const said: string[] = path === '' ? [] : [path];
    const about = () => said.join(' ') || undefined;
    const first: AuditOutcome = isPost ? 'begun' : 'done';
    const number = await log.begin({ ...entry, about: about(), outcome: first });
    const noted = said.length;
    const settle = async (outcome: AuditOutcome) => {
      if (outcome !== first || said.length !== noted) await log.settle(number, { outcome, about: about() });
    };
    try {
      await handle(callOf(parts, { request, response, member, form, nonce: token.nonce, said }));
    } catch (fault) {
      await settle('failed');
      throw fault;
    }
    await settle(outcomeOf(response.statusCode));
  };
}

/** What was looked up; 404 where there is none. */
export function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Problem('not-found');
  return thing;
}

/** Answers with a page, which has 422 where it tells of mistakes. `around`: in place of what the request says of the member. */
export async function showPage(
  parts: StaffParts,
  given: {
    readonly response: Response;
    readonly page: Page;
    readonly status?: number | undefined;
    readonly around?: Partial<StaffPageContext>;
  },
): Promise<void> {
  const { response, page, status = page.mistakes?.length ? 422 : 200, around } = given;
  const context = { ...pageContextOf(parts, response.req), ...around };
  await parts.render(response, 'staff/page', staffPage(context, page), { status });
}

function outcomeOf(status: number): AuditOutcome {
  if (status < 400) return 'done';
  if (status === 422) return 'corrected';
  return status < 500 ? 'refused' : 'failed';
}

/** What stands around a page: the member, and the token of the forms on it. */
export function pageContextOf(
  parts: Pick<StaffParts, 'sessions' | 'seal' | 'random' | 'clock'>,
  request: Request,
): StaffPageContext {
  const member = parts.sessions.memberOf(request);
  return {
    member,
    token: member === undefined ? '' : formToken.seal(parts, { nonce: parts.random.id(), member: member.id }),
    endsIn: parts.sessions.secondsLeft(request),
    continueHref: request.method === 'GET' ? request.originalUrl : '/staff',
  };
}

/** What a request for a page does not have, nor a form in which nothing was typed. */
function unsentIn(request: Request, form: Form = {}): UnsentForm | undefined {
  const fields = Object.entries(form).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const isTyped = fields.some(({ name }) => name !== 'token');
  return isTyped ? { action: request.originalUrl, fields } : undefined;
}
