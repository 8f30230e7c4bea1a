import type { Request } from 'express';

type Look = () => Promise<void> | void;

const looks = new WeakMap<Request, Look[]>();

/**
 * Registers a check of the sender that runs again when the body has arrived: a visitor who sends the body
 * slowly may have been signed out meanwhile.
 */
export function afterBody(request: Request, look: Look): void {
  looks.getOrInsert(request, []).push(look);
}

/** Runs these checks. Each body reader calls it before its handler runs. */
export async function lookAgain(request: Request): Promise<void> {
  for (const look of looks.get(request) ?? []) await look();
}
