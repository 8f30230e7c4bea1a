import * as z from 'zod';
import type { EventReceiver } from '../core/model/center/center-config.ts';
import { everyEventType } from '../core/model/submission/center-event.ts';
import { isLoopback } from '../core/model/web-address.ts';
import { readUrl } from './setting.ts';

const types = z.enum([...everyEventType, 'root.signed']);

export const eventsShape = z
  .array(
    z.strictObject({ url: z.url(), secretFile: z.string().min(1), types: z.array(types).min(1).optional() }),
  )
  .max(10);

export const apiKeysShape = z
  .array(
    z
      .strictObject({
        name: z.string().trim().min(1).max(60),
        label: z.string().trim().min(1).max(60).optional(),
        sha256: z
          .string()
          .regex(/^[\da-f]{64}$/i, 'the SHA-256 of the key: 64 hexadecimal digits')
          .toLowerCase(),
        scopes: z.array(z.enum(['events', 'may-send'])).min(1),
      })
      .transform((key) => ({ ...key, label: key.label ?? key.name })),
  )
  .max(20)
  .refine((keys) => new Set(keys.map(({ name }) => name)).size === keys.length, 'two have the same name');

/** Standard Webhooks: 24 to 64 bytes. Two secrets are usual while one is replaced. */
const secretBytes = { least: 24, most: 64 };
const mostSecrets = 5;

export function readEvents(
  entries: z.infer<typeof eventsShape>,
  given: {
    readonly refuse: (what: string) => void;
    readonly contentOf: (file: string, what: string) => string;
    readonly isSandbox: boolean;
  },
): readonly EventReceiver[] {
  const { refuse, contentOf, isSandbox } = given;
  const receivers = entries.map(({ url, secretFile, types = everyEventType }, index) => {
    const named = `events.${index}`;
    const address = readUrl(url);
    const isSafe =
      address?.protocol === 'https:' || (isSandbox && address !== undefined && isLoopback(address));
    if (!isSafe || address?.hash !== '')
      refuse(
        `${named}.url must be an https address without a user or a fragment (http on loopback in the sandbox only)`,
      );
    const text = contentOf(secretFile, `${named}.secretFile`);
    const lines = text.split(/\s+/).filter((line) => line !== '');
    const secrets = lines.flatMap((line) => readSecret(line) ?? []);
    if (text !== '' && (secrets.length < lines.length || lines.length > mostSecrets))
      refuse(
        `${named}.secretFile must hold one to ${mostSecrets} lines, each whsec_ and the base64 of ${secretBytes.least} to ${secretBytes.most} bytes: the first signs, and so does every other one while a secret is replaced`,
      );
    return { url: address?.href ?? url, secrets, types };
  });
  if (new Set(receivers.map(({ url }) => url)).size < receivers.length)
    refuse('events: two have the same url');
  return receivers;
}

/** The base64 behind `whsec_`; undefined: not a secret. */
function readSecret(text: string): string | undefined {
  const [, base64] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return undefined;
  const bytes = (base64.length / 4) * 3 - (base64.match(/=/g)?.length ?? 0);
  return bytes >= secretBytes.least && bytes <= secretBytes.most ? base64 : undefined;
}
