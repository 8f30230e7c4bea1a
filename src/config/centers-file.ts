import * as z from 'zod';
import { brandFaults } from '../core/model/center/brand.ts';
import { type CenterConfig, isGuid } from '../core/model/center/center-config.ts';
import { isPlainHost, isSafeAddress } from '../core/model/web-address.ts';
import { apiKeysShape, eventsShape, readApiKeys, readEvents } from './centers-events.ts';
import { isRandomSecret, secretRule } from './secrets.ts';

const optionalText = z.string().trim().min(1).optional();

/** A text, or texts by language: the first serves any other language. */
const brandLabel = z.union([
  z
    .string()
    .trim()
    .min(1)
    .transform((text): Record<string, string> => ({ '': text })),
  z
    .record(z.string(), z.string().trim().min(1))
    .refine((texts) => Object.keys(texts).length > 0, 'a text at least'),
]);
const brandLinks = z
  .array(z.strictObject({ label: brandLabel, href: z.string() }))
  .max(8)
  .optional();

const brandShape = z.strictObject({
  name: z.string().trim().min(1),
  logoUrl: optionalText,
  accent: optionalText,
  accentDark: optionalText,
  radius: z.number().optional(),
  font: optionalText,
  scheme: z.enum(['auto', 'light', 'dark']).default('auto'),
  stylesheetUrl: optionalText,
  background: optionalText,
  backgroundDark: optionalText,
  fonts: z
    .array(
      z.strictObject({
        family: z.string().trim().min(1),
        fontFile: z.string().regex(/\.woff2$/i, 'a .woff2 file'),
        weight: z.union([z.number().transform(String), z.string()]).optional(),
        style: z.enum(['normal', 'italic']).optional(),
      }),
    )
    .max(12)
    .optional(),
  iconFile: z
    .string()
    .regex(/\.(svg|png|ico)$/i, 'a .svg, .png or .ico file')
    .optional(),
  showName: z.boolean().optional(),
  headerLinks: brandLinks,
  footerLinks: brandLinks,
});

const linkKeyShape = z.union([
  z.strictObject({ issuer: z.string().min(1), keyId: optionalText, secret: z.string() }),
  z.strictObject({ issuer: z.string().min(1), keyId: optionalText, secretFile: z.string().min(1) }),
  z.strictObject({ issuer: z.string().min(1), jwksUrl: z.url() }),
  z.strictObject({ issuer: z.string().min(1), jwksFile: z.string().min(1) }),
]);

const signInShape = z.strictObject({
  mail: z.boolean().optional(),
  singleSignOn: z
    .strictObject({
      issuer: z.url(),
      clientId: z.string().min(1),
      clientSecret: optionalText,
      clientSecretFile: optionalText,
      claim: z.string().min(1).optional(),
      trustMissingEmailVerified: z.boolean().optional(),
      label: optionalText,
    })
    .optional(),
});

const centerShape = z.strictObject({
  address: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/i, 'letters, digits and hyphens, at most 63'),
  center: z.string().refine(isGuid, 'a GUID'),
  brand: brandShape.optional(),
  embedOrigins: z.array(z.url()).optional(),
  imageHosts: z
    .array(z.string().toLowerCase().refine(isPlainHost, 'a host, without a scheme, port or wildcard'))
    .optional(),
  controller: optionalText,
  rightsContact: optionalText,
  noticeId: z.string().toLowerCase().refine(isGuid, 'a GUID').optional(),
  linkKeys: z.array(linkKeyShape).optional(),
  signIn: signInShape.optional(),
  events: eventsShape.optional(),
  apiKeys: apiKeysShape.optional(),
  notify: z.boolean().optional(),
});

type CenterEntry = z.infer<typeof centerShape>;

/** `isSandbox`: a receiver of events may be http on loopback. */
interface CentersReading {
  readonly read: (path: string) => string;
  readonly faults: string[];
  readonly isSandbox: boolean;
  readonly canMail: boolean;
}

/** The centers file: a JSON array of `{address, center, brand?, embedOrigins?, imageHosts?, controller?, rightsContact?, noticeId?, linkKeys?, signIn?, events?, apiKeys?, notify?}`. */
export function readCentersFile(
  path: string,
  { read, faults, isSandbox, canMail }: CentersReading,
): readonly CenterConfig[] {
  let json: unknown;
  try {
    json = JSON.parse(read(path));
  } catch (fault) {
    faults.push(
      fault instanceof SyntaxError
        ? 'CENTERS_FILE is not JSON'
        : 'CENTERS_FILE names a file that cannot be read',
    );
    return [];
  }
  const parsed = z.array(centerShape).min(1).safeParse(json);
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      faults.push(`CENTERS_FILE: ${issue.path.join('.') || 'the list'}: ${issue.message}`);
    return [];
  }
  const addresses = parsed.data.map((entry, index) =>
    readCenter(entry, `CENTERS_FILE: ${index}`, { read, faults, isSandbox, canMail }),
  );
  const keys = addresses.flatMap(({ apiKeys = [] }) => apiKeys.map(({ sha256 }) => sha256));
  if (new Set(keys).size < keys.length) faults.push('CENTERS_FILE: two apiKeys have the same sha256');
  for (const [what, values] of [
    ['address', addresses.map((centerConfig) => centerConfig.name)],
    ['center', addresses.map((centerConfig) => centerConfig.center)],
  ] as const) {
    if (new Set(values).size < values.length) faults.push(`CENTERS_FILE: two entries have the same ${what}`);
  }
  return addresses;
}

function readCenter(
  entry: CenterEntry,
  where: string,
  { read, faults, isSandbox, canMail }: CentersReading,
): CenterConfig {
  const readFile = (file: string, what: string): string => {
    try {
      const text = read(file).trim();
      if (text === '') faults.push(`${where}.${what} names a file that is empty`);
      return text;
    } catch {
      faults.push(`${where}.${what} names a file that cannot be read`);
      return '';
    }
  };
  if (entry.notify === true && !canMail) faults.push(`${where}.notify needs SMTP_URL`);
  const { brand } = entry;
  for (const [index, { fontFile }] of (brand?.fonts ?? []).entries())
    readFile(fontFile, `brand.fonts.${index}.fontFile`);
  if (brand?.iconFile !== undefined) readFile(brand.iconFile, 'brand.iconFile');
  if (brand !== undefined) for (const fault of brandFaults(brand)) faults.push(`${where}.brand: ${fault}`);
  const origins = (entry.embedOrigins ?? []).map((text, index) => {
    const { origin, hostname } = new URL(text);
    // An origin goes into a header and is compared with the frame's own: a wildcard would work in the header alone.
    if (!isSafe(text) || !isPlainHost(hostname)) {
      faults.push(`${where}.embedOrigins.${index} must be https, or http on loopback, without a wildcard`);
    }
    return origin;
  });
  const sso = entry.signIn?.singleSignOn;
  if (sso !== undefined && !isSafe(sso.issuer)) {
    faults.push(`${where}.signIn.singleSignOn.issuer must be https, or http on loopback`);
  }
  return {
    name: entry.address.toLowerCase(),
    center: entry.center.toLowerCase(),
    brand,
    embedOrigins: origins,
    imageHosts: entry.imageHosts,
    controller: entry.controller,
    rightsContact: entry.rightsContact,
    noticeId: entry.noticeId,
    linkKeys: (entry.linkKeys ?? []).map((key, index) => {
      const named = `linkKeys.${index}`;
      if ('jwksUrl' in key) {
        if (!isSafe(key.jwksUrl)) faults.push(`${where}.${named}.jwksUrl must be https, or http on loopback`);
        return { kind: 'jwks', issuer: key.issuer, url: key.jwksUrl };
      }
      if ('jwksFile' in key) {
        const keys = readFile(key.jwksFile, `${named}.jwksFile`);
        if (keys !== '' && !isKeySet(keys)) faults.push(`${where}.${named}.jwksFile is no JSON Web Key Set`);
        return { kind: 'jwks-file', issuer: key.issuer, keys };
      }
      const secret = 'secret' in key ? key.secret : readFile(key.secretFile, `${named}.secretFile`);
      if (secret !== '' && !isRandomSecret(secret)) faults.push(`${where}.${named}.secret ${secretRule}`);
      return { kind: 'secret', issuer: key.issuer, keyId: key.keyId, secret };
    }),
    signIn: {
      mail: entry.signIn?.mail ?? true,
      singleSignOn:
        sso === undefined
          ? undefined
          : {
              issuer: sso.issuer,
              clientId: sso.clientId,
              clientSecret:
                sso.clientSecretFile === undefined
                  ? sso.clientSecret
                  : readFile(sso.clientSecretFile, 'signIn.singleSignOn.clientSecretFile'),
              claim: sso.claim ?? 'email',
              missingEmailVerified: sso.trustMissingEmailVerified === true ? 'trusted' : 'refused',
              label: sso.label,
            },
    },
    events: readEvents(entry.events ?? [], { where, faults, readFile, isSandbox }),
    apiKeys: readApiKeys(entry.apiKeys ?? [], where, faults),
    notify: entry.notify,
  };
}

function isSafe(text: string): boolean {
  return isSafeAddress(new URL(text));
}

function isKeySet(text: string): boolean {
  try {
    return z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) }).safeParse(JSON.parse(text))
      .success;
  } catch {
    return false;
  }
}
