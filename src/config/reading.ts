import { type SettingName, type SettingValue, settings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Reading = ReturnType<typeof createReading>;

/** Reads settings. Faults and warnings name settings, never their values. `readFile` throws. */
export function createReading(env: Environment, readFile: (path: string) => string) {
  const faults: string[] = [];
  /** Advice to the operator. */
  const warnings: string[] = [];
  /** The text of any variable; undefined if empty. */
  const textIn = (name: string) => env[name]?.trim() || undefined;

  const readText = (name: SettingName): string | undefined => {
    const file = 'isSecret' in settings[name] ? textIn(`${name}_FILE`) : undefined;
    if (file === undefined) return textIn(name);
    if (textIn(name) !== undefined) faults.push(`${name} and ${name}_FILE are both set: keep one`);
    try {
      const text = readFile(file).trim();
      // An unreadable file is a fault: without its value the product would silently behave in another way.
      if (text === '') faults.push(`${name}_FILE names a file that is empty`);
      return text || undefined;
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
      return undefined;
    }
  };
  const texts = new Map<SettingName, string | undefined>();
  const textOf = (name: SettingName) => texts.getOrInsertComputed(name, readText);

  return {
    textIn,
    readFile,
    faults,
    warnings,
    /** True if the setting has a text, right or wrong. */
    has: (name: SettingName) => textOf(name) !== undefined,
    /**
     * Returns the value. A missing or wrong setting gives its default; a wrong one also adds a fault. Read
     * each setting once.
     */
    read<Name extends SettingName>(name: Name): SettingValue<Name> {
      const { kind } = settings[name];
      const read = kind.safeParse(textOf(name));
      if (read.success) return read.data as SettingValue<Name>;
      for (const { message } of read.error.issues)
        faults.push(`${name}${message.startsWith(':') ? '' : ' '}${message}`);
      return kind.parse(undefined) as SettingValue<Name>;
    },
  };
}
