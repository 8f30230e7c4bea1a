import type { Request } from 'express';

type Look = () => Promise<void> | void;

const looks = new WeakMap<Request, Map<object, Look>>();

/**
 * Registers a check of the sender that runs again when the body has arrived: a visitor who sends the body
 * slowly may have been signed out meanwhile. Each `of` has one check.
 */
export function afterBody(request: Request, of: object, look: Look): void {
  const known = looks.get(request) ?? new Map<object, Look>();
  looks.set(request, known.set(of, look));
}

/** Runs these checks. Each body reader calls it before its handler runs. */
export async function lookAgain(request: Request): Promise<void> {
  for (const look of looks.get(request)?.values() ?? []) await look();
}
