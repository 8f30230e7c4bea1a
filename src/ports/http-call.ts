/**
 * One request to a host other than the platform. Rejects on a deadline, an answer too long, a broken
 * connection.
 */
export type HttpCall = (request: {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}>;
