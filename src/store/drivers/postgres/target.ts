import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';

/** The address of a database, with the options of its connections. */
export interface Target {
  readonly config: pg.ClientConfig;
  /** Host and port, which may be shown. */
  readonly place: string;
}

/**
 * The types bigint and numeric (a sum of bigint): counts, sequences and times in milliseconds, which a number
 * holds.
 */
const numbers = [20, 1_700];
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    numbers.includes(oid) && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/**
 * Reads `postgres://user:password@host:port/database`. `sslmode` is as in PostgreSQL's own programs:
 * `disable` (the default), `require` (encrypted, by any server), `verify-ca`, `verify-full`; with
 * `sslrootcert`, `sslcert` and `sslkey` as files. `host` may be a folder with a socket; `options` are those
 * of the session. The settings refuse any other address.
 */
export function readTarget(address: string): Target {
  const url = new URL(address);
  const asked = (name: string) => url.searchParams.get(name) ?? undefined;
  const host = asked('host') ?? decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, '$1');
  const port = Number(asked('port') ?? (url.port === '' ? 5432 : url.port));
  const config: pg.ClientConfig = {
    host: host === '' ? 'localhost' : host,
    port,
    user: decodeURIComponent(url.username) || 'postgres',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    application_name: 'sayso',
    types,
    ...(asked('options') === undefined ? {} : { options: asked('options') }),
    ssl: readEncryption(asked),
  };
  return { config, place: `${config.host}:${port}` };
}

function readEncryption(asked: (name: string) => string | undefined): ConnectionOptions | false {
  const mode = asked('sslmode') ?? 'disable';
  if (mode === 'disable') return false;
  const names = { ca: asked('sslrootcert'), cert: asked('sslcert'), key: asked('sslkey') };
  const files = Object.entries(names).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readFileSync(file, 'utf8')]],
  );
  const given: ConnectionOptions = Object.fromEntries(files);
  // The same as in libpq: encrypted; the server is verified only if an authority is named.
  if (mode === 'require' && given.ca === undefined) return { ...given, rejectUnauthorized: false };
  const isAnyName = mode === 'require' || mode === 'verify-ca';
  return isAnyName ? { ...given, checkServerIdentity: () => undefined } : given;
}

/** Limits that the server enforces on a connection. Milliseconds. */
export interface Limits {
  readonly statementMs: number;
  /** The silence after which a transaction ends: a node that hangs loses its locks. */
  readonly silentMs?: number;
}

/** A connection whose socket can be cut, whatever the server does. */
export class Connection extends pg.Client {
  readonly #socket: Socket;

  constructor(config: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    // A fault between two statements is noticed by the next one.
    this.on('error', () => undefined);
  }

  /**
   * Sets limits once connected, since PgBouncer refuses or strips startup parameters. With
   * `synchronous_commit` off, as an operator may have it, an answered write could be lost; and each statement
   * must see what was written while it waited for a lock.
   */
  async limit({ statementMs, silentMs = 0 }: Limits): Promise<void> {
    await this.query(
      `SELECT set_config('statement_timeout', $1, false),
         set_config('idle_in_transaction_session_timeout', $2, false),
         set_config('default_transaction_isolation', 'read committed', false),
         CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`,
      [String(statementMs), String(silentMs)],
    );
  }

  cut(): void {
    this.#socket.destroy();
  }
}
