const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * The data subject's identifier: the header before the deprecated query parameter. Header bytes
 * arrive as latin1; what is valid UTF-8 is read as such.
 */
export function readIdentifier(
  header: string | string[] | undefined,
  query: string | undefined,
): string | undefined {
  const given = Array.isArray(header) ? header.join(', ') : header;
  if (given === undefined || given === '') return query === '' ? undefined : query;
  if (!/[\u0080-\u00ff]/.test(given)) return given;
  try {
    return strict.decode(Buffer.from(given, 'latin1'));
  } catch {
    return given;
  }
}
