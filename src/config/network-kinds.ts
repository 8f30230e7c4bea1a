import { isIP } from 'node:net';
import * as z from 'zod';
import { proxyFaultOf } from './proxy.ts';

/** The address of a collector; it may contain a user and a password. */
export const collector = z
  .string()
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, search, hash } = new URL(text);
    return (protocol === 'http:' || protocol === 'https:') && search === '' && hash === '';
  }, 'must be an http or https address without a query')
  .transform((text) => new URL(text))
  .optional();

export const host = z
  .string()
  .refine(
    (text) => text === 'all' || text === 'localhost' || isIP(text) !== 0,
    'must be an address of this machine, such as 127.0.0.1, or all',
  )
  .optional();

export const proxies = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .superRefine((parts, context) => {
    for (const [index, part] of parts.entries()) {
      const fault = proxyFaultOf(part);
      if (fault !== undefined) context.addIssue(`: number ${index + 1} of the list ${fault}`);
    }
  })
  .default([]);

export const hostNames = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((name) => name !== ''))
  .refine(
    (names) =>
      names.every((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).host === name),
    'must be names of hosts in small letters, without a port, separated by commas',
  )
  .default([]);

const sandboxScopes = ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ'];
export const scopes = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((scope) => scope !== ''))
  .refine(
    (names) => names.length > 0 && names.every((name) => sandboxScopes.includes(name)),
    `must name some of ${sandboxScopes.join(', ')}`,
  )
  .optional();
