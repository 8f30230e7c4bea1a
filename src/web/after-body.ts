import type { Request } from 'express';

type Look = () => Promise<void> | void;

const looks = new WeakMap<Request, Map<object, Look>>();

/**
 * What was found at the head of a request about who sends it is looked up again once its body is in: a visitor who holds
 * the body back may have been signed out meanwhile. `of`: whose look it is, one for each.
 */
export function afterBody(request: Request, of: object, look: Look): void {
  const known = looks.get(request) ?? new Map<object, Look>();
  looks.set(request, known.set(of, look));
}

/** To be called by whatever reads a body, before anything else sees it. Throws what a look throws. */
export async function lookAgain(request: Request): Promise<void> {
  for (const look of looks.get(request)?.values() ?? []) await look();
}
