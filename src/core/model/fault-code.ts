/**
 * The code of a fault of Node or of a library, such as `ENOENT`; undefined if there is none, or it is no
 * text.
 */
export function faultCode(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
}
