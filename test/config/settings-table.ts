import { type Setting, settings } from '../../src/config/settings.ts';

/** The settings as a Markdown table, with the list of those that may be files. */
export function settingsTable(): string {
  const all: readonly (readonly [string, Setting])[] = Object.entries(settings);
  const rows = all.map(([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${setting.about} |`);
  const secrets = all.flatMap(([name, { isSecret }]) => (isSecret ? [`\`${name}\``] : []));
  return [
    '| name | default | what it does |',
    '|---|---|---|',
    ...rows,
    '',
    `${secrets.slice(0, -1).join(', ')} and ${secrets.at(-1)} may be given as files: \`SECRET_FILE\` and so on.`,
  ].join('\n');
}

function defaultOf({ unset, kind }: Setting): string {
  const value = kind.parse(undefined);
  if (unset !== undefined) return unset;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '`on`' : '`off`';
  return typeof value === 'string' ? `\`${value}\`` : 'none';
}
