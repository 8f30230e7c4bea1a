import * as z from 'zod';
import { readInstant } from './clock.ts';
import type { Json } from './json.ts';
import { flag, guid, optional, readShape, usual, words } from './shape.ts';

const id = guid.toLowerCase();
/** A date-time; without a zone it is UTC. */
const instant = z.unknown().transform((value, context) => {
  const isFull = typeof value === 'string' && /T\d{2}:\d{2}:\d{2}/i.test(value);
  const date = isFull ? readInstant(value) : undefined;
  if (date !== undefined) return date;
  context.addIssue({
    code: 'custom',
    message: 'must be a date-time such as 2027-03-31T17:00:00Z',
    input: value,
  });
  return z.NEVER;
});
const modules = [
  ...[
    'ASSESSMENT',
    'AUDIT',
    'CYBER_RISK',
    'DATA_MAPPING',
    'DATA_GOVERNANCE',
    'ESG',
    'ERM',
    'INCIDENT',
    'ISSUE',
  ],
  ...[
    'ITRM',
    'PROGRAM_BENCHMARKING',
    'MATURITY_PLANNING',
    'RISK',
    'VENDOR',
    'VENDOR_PORTAL',
    'COMPLIANCE_MGMT',
  ],
  ...['SPEAK_UP', 'ENTITY_SCOPE', 'CONTROL_OBJECTIVE', 'EXCEPTION'],
];

const collaborator = z.object({
  collaboratorId: optional(id),
  collaboratorEmail: optional(words(0, 255)),
  type: z.enum(['USER', 'GROUP']),
});

/** Members that a create and an update share. */
const fields = z.object({
  taskName: words(0, 512),
  description: optional(words(0, 2000)),
  assigneeId: optional(id),
  assigneeEmail: optional(words(0, 255)),
  collaborators: optional(z.array(collaborator)),
  deadline: optional(instant),
  priority: usual(z.enum(['LOW', 'MEDIUM', 'HIGH']), 'MEDIUM'),
  isRequired: optional(flag),
  sourceType: optional(words(0, 16)),
  sourceId: optional(id),
  // Parameters have any name; each is an object or a scalar.
  context: optional(
    z.object({
      parameters: optional(
        z.record(
          z.string(),
          z.unknown().refine((value) => !Array.isArray(value), 'must be an object or a scalar'),
        ),
      ),
    }),
  ),
});

const create = fields.extend({
  parentEntityId: id,
  orgGroupId: id,
  taskTypeNameKey: words(1, 100),
  isActive: usual(flag, true),
  moduleSource: optional(z.enum(modules)),
  // Only the stored request keeps these: the answer has no member for them.
  resourceId: optional(guid),
  resourceTypeNameKey: optional(words(1, 100)),
});
const update = fields.extend({ status: optional(z.enum(['Open', 'Closed'])) });

export type Collaborator = z.output<typeof collaborator>;
export type TaskFields = z.output<typeof fields>;
export type TaskCreate = z.output<typeof create>;
export type TaskUpdate = z.output<typeof update>;

export function readTaskCreate(body: Json): TaskCreate {
  return readShape(create, body);
}

export function readTaskUpdate(body: Json): TaskUpdate {
  return readShape(update, body);
}
