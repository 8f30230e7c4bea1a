import { Secret } from './setting.ts';

export function readSecrets(
  text: string | undefined,
  sandbox: boolean,
  faults: string[],
): readonly Secret[] | undefined {
  if (text === undefined) {
    if (!sandbox) faults.push('SECRET is missing: at least 32 bytes, the same on every process');
    return undefined;
  }
  const secrets = text.split(/[\s,]+/).filter((part) => part !== '');
  if (secrets.length === 0 || secrets.some((part) => new TextEncoder().encode(part).length < 32)) {
    faults.push(
      'SECRET must have at least 32 bytes (several, for rotation, are separated by commas: the newest first)',
    );
  }
  return secrets.map((part) => new Secret(part));
}
