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

/** One permitted request of a member, with all that a handler needs to answer it. */
export type Call = ReturnType<typeof callOf>;

interface CallInput {
  readonly request: Request;
  readonly response: Response;
  readonly member: Member;
  readonly form: Form;
  /** The nonce of the posted form's token. */
  readonly nonce: string;
  /** Words about the request for the audit log. */
  readonly words: string[];
}

function callOf(parts: NamingParts, given: CallInput) {
  const { request, response, form, words } = given;
  return {
    ...parts,
    ...given,
    /** A part of the path; '' when there is none. */
    parameter: (name: string) => String(request.params[name] ?? ''),
    /** A text of the address's query; '' when there is none. */
    query: (name: string) => queryText.parse(request.query[name]),
    /** The filter of a list as the address gives it; `query` is one of `queries`. */
    asked: <Schema extends z.ZodType>(query: Schema): z.output<Schema> => query.parse(request.query),
    /** The first value of a field of a posted form; '' when there is none. */
    field: (name: string) => form[name]?.[0] ?? '',
    show: (page: Page, status?: number) => showPage(parts, { response, page, status }),
    /**
     * Adds words about the request to its line in the audit log, after the parts of the path: ids, never a
     * person's identifier.
     */
    about: (what: string) => void words.push(what),
  };
}

export type Handle = (call: Call) => Promise<void> | void;

/** A route of the staff pages. `does`: the words of the audit log. */
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
  // A form that is filled in the evening can be sent in the morning.
  maxAgeMs: 24 * 60 * 60 * 1000,
});

const queryText = z.string().catch('');

const formShape = z.record(
  z.string(),
  z.preprocess((value) => [value].flat(), z.array(z.string())),
);

/**
 * Adds a route of the staff pages, always behind the guard: each route names the role that it needs and its
 * words for the audit log.
 */
export function addRoute(router: Router, parts: NamingParts, route: Route): void {
  const [method, path, needs] = route;
  const guarded = guard(parts, route);
  if (method === 'get') return void router.get(path, guarded);
  /**
   * Decides before a form is read whether it may be sent. A member with the role may send it. So may a
   * browser whose session has ended, because its input is kept until after the sign-in. For any other
   * request, the guard answers without reading the form.
   */
  async function right(request: Request, response: Response) {
    const member = parts.sessions.memberOf(request);
    if (member === undefined ? parts.sessions.wasThere(request) : mayDo(member, needs)) return undefined;
    await guarded(request, response);
    return 'answered' as const;
  }
  router.post(path, formBody({ right, size: 'page' }), guarded);
}

/**
 * The handler of a route: reads the member, checks the role and the form's origin, writes the audit line, and
 * only then runs `handle`.
 */
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
    // A token of an earlier session of the same member is valid, too, so that no input is lost when a session
    // ends.
    const token = isPost ? formToken.open(parts, form['token']?.[0]) : { member: member.id, nonce: '' };
    if (token?.member !== member.id) throw new Problem('form-refused');

    const words: string[] = path === '' ? [] : [path];
    const about = () => words.join(' ') || undefined;
    const first: AuditOutcome = isPost ? 'begun' : 'done';
    const number = await log.begin({ ...entry, about: about(), outcome: first });
    const noted = words.length;
    const settle = async (outcome: AuditOutcome) => {
      if (outcome !== first || words.length !== noted) await log.settle(number, { outcome, about: about() });
    };
    try {
      await handle(callOf(parts, { request, response, member, form, nonce: token.nonce, words }));
      await settle(outcomeOf(response.statusCode));
    } catch (fault) {
      await settle('failed');
      throw fault;
    }
  };
}

/** Returns the thing; throws not-found if it is undefined. */
export function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Problem('not-found');
  return thing;
}

/**
 * Answers with a page; the status is 422 if the page tells of mistakes. `around` replaces what the request
 * says about the member.
 */
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

/** The frame of a page: the member, and the token of its forms. */
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

/** The form in a request without a sign-in; undefined if the request has no form, or nothing was typed. */
function unsentIn(request: Request, form: Form = {}): UnsentForm | undefined {
  const fields = Object.entries(form).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const isTyped = fields.some(({ name }) => name !== 'token');
  return isTyped ? { action: request.originalUrl, fields } : undefined;
}
