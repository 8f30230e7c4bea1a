export interface Field {
  /** Name of the field in lower case. */
  readonly name: string;
  /** Value of the field, unfolded to one line (RFC 5322). */
  readonly value: string;
  /** Bytes of the field's longest line. */
  readonly longestLine: number;
}

/** The fields of a mail's head, in their order. */
export function readMailHead(mail: Uint8Array): readonly Field[] {
  const text = Buffer.from(mail).toString('latin1').replaceAll('\r\n', '\n');
  const [head = ''] = text.split('\n\n', 1);
  const fields = head.split(/\n(?![ \t])/);
  return fields.flatMap((field) => {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:([\s\S]*)$/.exec(field) ?? [];
    if (name === undefined || value === undefined) return [];
    const longestLine = Math.max(...field.split('\n').map(({ length }) => length));
    return [{ name: name.toLowerCase(), value: value.replaceAll('\n', '').trim(), longestLine }];
  });
}
