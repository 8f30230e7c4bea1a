/**
 * Personal data and secrets that tests feed to the product, and that the product must never print.
 * `test/run.ts` searches for each, plain and encoded, in all output of the tests and of the products that
 * they start.
 */
export const canaries = {
  secret: 'tYPqe4tGZbLuUQXLyI9WxAOH0vHRqk8TYTVv34RYi1s',
  platformSecret: 'canary-platform-secret-91b6e7',
  person: 'canary.person@example.org',
  otherPerson: 'canary.other@example.org',
  phone: '+44 20 7946 0958',
  typed: 'Canary Quillfeather',
} as const;

/** The names of the canaries in `text`: plain, URL-encoded, in JSON, or inside any base64. */
export function findCanaries(text: string): string[] {
  const lower = text.toLowerCase();
  return Object.entries(canaries)
    .filter(([, value]) =>
      spellings(value).some(({ spelling, exact }) => (exact ? text : lower).includes(spelling)),
    )
    .map(([name]) => name);
}

function spellings(value: string): { spelling: string; exact: boolean }[] {
  const urls = [value, encodeURIComponent(value), encodeURIComponent(value).replaceAll('%20', '+')];
  return [
    ...urls.map((spelling) => ({ spelling: spelling.toLowerCase(), exact: false })),
    ...[0, 1, 2].flatMap((shift) => base64Within(value, shift)),
  ];
}

/** The base64 that `value` becomes inside a longer text, when `shift` bytes of it share the first group. */
function base64Within(value: string, shift: number): { spelling: string; exact: boolean }[] {
  const padded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const certain = (encoded: string) =>
    encoded.slice(shift === 0 ? 0 : 4, Math.floor((padded.length * 8) / 6 / 4) * 4);
  return (['base64', 'base64url'] as const).map((encoding) => ({
    spelling: certain(padded.toString(encoding)),
    exact: true,
  }));
}
