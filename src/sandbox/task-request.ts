import { readInstant } from './clock.ts';
import { isGuid, isObject, type Json, type JsonObject } from './json.ts';
import { badRequest } from './refusal.ts';

/** Reads one member; `undefined` when absent or null. */
type Reader<T> = (value: Json, path: string) => T;

export interface Collaborator {
  readonly id: string | undefined;
  readonly email: string | undefined;
  readonly type: string;
}

/** What a create and an update have in common. */
export interface TaskFields {
  readonly taskName: string;
  readonly description: string | undefined;
  readonly assigneeId: string | undefined;
  readonly assigneeEmail: string | undefined;
  readonly collaborators: readonly Collaborator[] | undefined;
  readonly deadline: Date | undefined;
  readonly priority: string;
  readonly isRequired: boolean | undefined;
  readonly sourceType: string | undefined;
  readonly sourceId: string | undefined;
}

export interface TaskCreate extends TaskFields {
  readonly parentEntityId: string;
  readonly orgGroupId: string;
  readonly taskTypeNameKey: string;
  readonly isActive: boolean;
  readonly moduleSource: string | undefined;
}

export interface TaskUpdate extends TaskFields {
  readonly status: string | undefined;
}

const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'];
const STATUSES = ['Open', 'Closed'];
const COLLABORATOR_TYPES = ['USER', 'GROUP'];
const MODULES = [
  'ASSESSMENT',
  'AUDIT',
  'CYBER_RISK',
  'DATA_MAPPING',
  'DATA_GOVERNANCE',
  'ESG',
  'ERM',
  'INCIDENT',
  'ISSUE',
  'ITRM',
  'PROGRAM_BENCHMARKING',
  'MATURITY_PLANNING',
  'RISK',
  'VENDOR',
  'VENDOR_PORTAL',
  'COMPLIANCE_MGMT',
  'SPEAK_UP',
  'ENTITY_SCOPE',
  'CONTROL_OBJECTIVE',
  'EXCEPTION',
];

export function readTaskCreate(body: Json): TaskCreate {
  const given = bodyObject(body);
  // Kept with the request only: the answer has no member for them.
  optional(given, 'resourceId', guid);
  optional(given, 'resourceTypeNameKey', words(1, 100));
  return {
    ...readFields(given),
    parentEntityId: required(given, 'parentEntityId', guid),
    orgGroupId: required(given, 'orgGroupId', guid),
    taskTypeNameKey: required(given, 'taskTypeNameKey', words(1, 100)),
    isActive: optional(given, 'isActive', flag) ?? true,
    moduleSource: optional(given, 'moduleSource', oneOf(MODULES)),
  };
}

export function readTaskUpdate(body: Json): TaskUpdate {
  const given = bodyObject(body);
  return { ...readFields(given), status: optional(given, 'status', oneOf(STATUSES)) };
}

function readFields(given: JsonObject): TaskFields {
  optional(given, 'context', context);
  return {
    taskName: required(given, 'taskName', words(0, 512)),
    description: optional(given, 'description', words(0, 2000)),
    assigneeId: optional(given, 'assigneeId', guid),
    assigneeEmail: optional(given, 'assigneeEmail', words(0, 255)),
    collaborators: optional(given, 'collaborators', collaborators),
    deadline: optional(given, 'deadline', instant),
    priority: optional(given, 'priority', oneOf(PRIORITIES)) ?? 'MEDIUM',
    isRequired: optional(given, 'isRequired', flag),
    sourceType: optional(given, 'sourceType', words(0, 16)),
    sourceId: optional(given, 'sourceId', guid),
  };
}

function bodyObject(body: Json): JsonObject {
  if (!isObject(body)) throw badRequest('The body must be a JSON object');
  return body;
}

function optional<T>(given: JsonObject, member: string, read: Reader<T>, path = member): T | undefined {
  const value = given[member];
  return value === undefined || value === null ? undefined : read(value, path);
}

function required<T>(given: JsonObject, member: string, read: Reader<T>, path = member): T {
  const value = optional(given, member, read, path);
  if (value === undefined) throw badRequest(`${path} is required`);
  return value;
}

function words(min: number, max: number): Reader<string> {
  return (value, path) => {
    if (typeof value !== 'string') throw badRequest(`${path} must be a string`);
    if (value.length < min || value.length > max)
      throw badRequest(`${path} must have ${min} to ${max} characters`);
    return value;
  };
}

const guid: Reader<string> = (value, path) => {
  if (!isGuid(value)) throw badRequest(`${path} must be a UUID`);
  return value.toLowerCase();
};

const flag: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw badRequest(`${path} must be true or false`);
  return value;
};

/** A date-time may come without a zone: it is UTC then. */
const instant: Reader<Date> = (value, path) => {
  const isFull = typeof value === 'string' && /T\d{2}:\d{2}:\d{2}/i.test(value);
  const date = isFull ? readInstant(value) : undefined;
  if (date === undefined) throw badRequest(`${path} must be a date-time such as 2027-03-31T17:00:00Z`);
  return date;
};

function oneOf(allowed: readonly string[]): Reader<string> {
  return (value, path) => {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      throw badRequest(`${path} must be one of ${allowed.join(', ')}`);
    }
    return value;
  };
}

const collaborators: Reader<Collaborator[]> = (value, path) => {
  if (!Array.isArray(value)) throw badRequest(`${path} must be an array`);
  return value.map((item, index) => {
    const at = `${path}[${index}]`;
    if (!isObject(item)) throw badRequest(`${at} must be an object`);
    return {
      id: optional(item, 'collaboratorId', guid, `${at}.collaboratorId`),
      email: optional(item, 'collaboratorEmail', words(0, 255), `${at}.collaboratorEmail`),
      type: required(item, 'type', oneOf(COLLABORATOR_TYPES), `${at}.type`),
    };
  });
};

/** Parameters are free: objects or scalars by name. */
const context: Reader<void> = (value, path) => {
  if (!isObject(value)) throw badRequest(`${path} must be an object`);
  const parameters = value['parameters'];
  if (parameters === undefined || parameters === null) return;
  if (!isObject(parameters)) throw badRequest(`${path}.parameters must be an object`);
  for (const [name, parameter] of Object.entries(parameters)) {
    if (Array.isArray(parameter))
      throw badRequest(`${path}.parameters.${name} must be an object or a scalar`);
  }
};
