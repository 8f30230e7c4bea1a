import { type Field, readMailHead } from './mail-head.ts';

/** The verdict of a mailbox provider on one part of a mail. */
export interface Finding {
  readonly kind: 'ok' | 'unsure' | 'fault';
  readonly text: string;
}

export interface OneClickMail {
  readonly findings: readonly Finding[];
  /** The address to which a provider would post; undefined if it finds none. */
  readonly address: string | undefined;
}

const headers = ['list-unsubscribe', 'list-unsubscribe-post'];

const ok = (text: string): Finding => ({ kind: 'ok', text });
const unsure = (text: string): Finding => ({ kind: 'unsure', text });
const fault = (text: string): Finding => ({ kind: 'fault', text });

/** Reads a mail as a mailbox provider does for one-click (RFC 8058). */
export function readOneClickMail(mail: Uint8Array): OneClickMail {
  const fields = readMailHead(mail);
  const { finding, address } = readAddress(fields);
  return { findings: [finding, readPost(fields), ...readSignatures(fields)], address };
}

function readAddress(fields: readonly Field[]) {
  const wrong = (text: string) => ({ finding: fault(`List-Unsubscribe: ${text}`), address: undefined });
  const [field, second] = fields.filter(({ name }) => name === 'list-unsubscribe');
  if (field === undefined) return wrong('it is not there');
  if (second !== undefined) return wrong('it is there twice, and providers read neither');
  if (/=\?[^?\s]+\?[bq]\?/i.test(field.value))
    return wrong(
      'its address was turned into encoded words, which no provider reads there: the mail library did it, docs/senders.md has the line that it needs',
    );
  if (field.longestLine > 998)
    return wrong('its line has more than 998 characters, and servers may break it');
  const addresses = [...field.value.matchAll(/<([^<>]*)>/g)].map(([, inner = '']) => inner);
  const web = addresses.filter((inner) => /^https?:/i.test(inner.trim()));
  if (addresses.length === 0) return wrong('there is no address in angle brackets');
  const [address] = web;
  if (address === undefined) return wrong('there is no https address: a mailto is no one-click');
  if (/\s/.test(address)) return wrong('there is a blank within its address: it was folded in the middle');
  if (!URL.canParse(address)) return wrong('its address cannot be read');
  if (new URL(address).protocol !== 'https:') return wrong('its address is http, and providers want https');
  return { finding: ok(`List-Unsubscribe: one https address, ${address.length} characters`), address };
}

function readPost(fields: readonly Field[]): Finding {
  const [field, second] = fields.filter(({ name }) => name === 'list-unsubscribe-post');
  const wrong = (text: string) => fault(`List-Unsubscribe-Post: ${text}`);
  if (field === undefined) return wrong('it is not there, so that there is no one-click');
  if (second !== undefined) return wrong('it is there twice');
  if (field.value !== 'List-Unsubscribe=One-Click')
    return wrong('it must say List-Unsubscribe=One-Click, and says something else');
  return ok('List-Unsubscribe-Post: as it must be');
}

function readSignatures(fields: readonly Field[]): readonly Finding[] {
  const signatures = fields.filter(({ name }) => name === 'dkim-signature').map(({ value }) => tagsOf(value));
  if (signatures.length === 0)
    return [fault('DKIM: no signature. Look at a mail as it arrived: it is signed on its way')];
  const missing = signatures.map((tags) => {
    const signed = (tags.get('h') ?? '').toLowerCase().split(':');
    return headers.filter((name) => !signed.includes(name));
  });
  const covering = signatures.filter((_tags, index) => missing[index]?.length === 0);
  if (covering.length === 0)
    return [fault(`DKIM: no signature covers ${missing[0]?.join(' and ')} (h=), so that there is no button`)];
  const domains = covering.map((tags) => tags.get('d') ?? '?').join(', ');
  return [ok(`DKIM: both headers are covered by the signature of ${domains}`), readVerdict(fields)];
}

/** Reads `a=1; b=2`, without the blanks of folding. */
function tagsOf(value: string): ReadonlyMap<string, string> {
  const pairs = value.split(';').map((pair) => pair.replaceAll(/\s/g, '').split(/=(.*)/s, 2));
  return new Map(pairs.map(([name = '', tag = '']) => [name, tag]));
}

/** Reads the verdict of the last receiving server, whose header is the first. */
function readVerdict(fields: readonly Field[]): Finding {
  const results = fields.find(({ name }) => name === 'authentication-results')?.value ?? '';
  const verdicts = [...results.matchAll(/\bdkim\s*=\s*(\w+)/gi)].map(([, verdict = '']) =>
    verdict.toLowerCase(),
  );
  if (verdicts.includes('pass')) return ok('DKIM: the server that received the mail found it valid');
  if (verdicts.length > 0)
    return fault(
      `DKIM: the server that received the mail says ${verdicts.join(', ')}: something changed the mail`,
    );
  return unsure(
    'DKIM: whether the signature is valid says the server that receives the mail, and this is not from one',
  );
}
