import type { CenterSummary } from '../core/model/center/center.ts';
import { isGuid } from '../core/model/center/center-config.ts';
import { Problem } from '../core/model/problem.ts';
import type { Task } from '../core/model/staff/task.ts';
import type { Platform } from '../ports/platform.ts';
import { type Client, successJson } from './client.ts';
import type { Answer } from './exchange.ts';
import { readNoticePage, readNoticeVersion, readNoticeVersionPage } from './wire-notices.ts';
import { envelope } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { readTask, taskBody, taskUpdateBody } from './wire-tasks.ts';
import { line } from './wire-text.ts';

const noticesPath = '/api/privacynotice/v2/privacynotices';
const tasksPath = '/api/task-management/v1/tasks';
const centersPath = '/api/consentmanager/v2/preferencecenters';
const mostCenterPages = 50;
/** The priority of readings for staff pages: no visitor waits for them. */
const canWait = { priority: 'background' } as const;

/** Tasks, Notices, and the list of Centers (docs/platform-api.md). */
export function createStaff(client: Client) {
  return {
    async listCenters() {
      const centers = new Map<string, CenterSummary>();
      for (let page = 0; page < mostCenterPages; page += 1) {
        const path = `${centersPath}?page=${page}&size=100`;
        const body = successJson(await client.call('list-centers', { ...canWait, path }));
        const { content, last, totalPages } = wire.parse(body, envelope, 'a list of centers');
        for (const summary of wire.readable(content, summaryShape).map(summaryOf)) {
          if (!centers.has(summary.id)) centers.set(summary.id, summary);
        }
        const isLast = last ?? (totalPages === undefined || page + 1 >= totalPages);
        if (isLast || content.length === 0) break;
      }
      return [...centers.values()];
    },

    async listNotices(query) {
      const path = `${noticesPath}?${pageQuery(query)}`;
      const answer = await client.call('list-notices', { ...canWait, path });
      return readNoticePage(successJson(answer), query);
    },

    async findNoticeVersion(id, date) {
      if (!isGuid(id)) return undefined;
      const path = `${noticesPath}/${id.toLowerCase()}?${new URLSearchParams({ date })}`;
      // Live platforms say "none" in two ways: 404, or 500 with nothing in it (docs/platform-api.md,
      // Notices).
      const means = (answer: { status: number; body: Uint8Array | undefined }) =>
        answer.status === 404 || (answer.status === 500 && answer.body?.length === 0);
      const answer = await client.call('find-notice-version', { ...canWait, path, means });
      return means(answer) ? undefined : readNoticeVersion(successJson(answer));
    },

    async listNoticeVersions(id, query) {
      if (!isGuid(id)) return undefined;
      const path = `${noticesPath}/${id.toLowerCase()}/versions?${pageQuery(query)}`;
      const answer = await client.call('list-notice-versions', { ...canWait, path });
      return answer.status === 404 ? undefined : readNoticeVersionPage(successJson(answer), query);
    },

    async createTask(task, { priority } = {}) {
      const body = taskBody(task);
      return readWritten(await client.call('create-task', { path: tasksPath, body, priority }));
    },

    async findTask(id) {
      if (!isGuid(id)) return undefined;
      const answer = await client.call('find-task', { ...canWait, path: taskPath(id) });
      return answer.status === 404 ? undefined : readTask(successJson(answer));
    },

    async updateTask(id, task) {
      if (!isGuid(id)) return undefined;
      const answer = await client.call('update-task', { path: taskPath(id), body: taskUpdateBody(task) });
      return answer.status === 404 ? undefined : readWritten(answer);
    },
  } satisfies Partial<Platform>;
}

/** Reads the answer to a write. An unreadable one must not lead to a repetition: the task was written. */
async function readWritten(answer: Answer): Promise<Task> {
  try {
    return readTask(successJson(answer));
  } catch (fault) {
    if (!(fault instanceof Problem) || fault.code !== 'platform-unreadable') throw fault;
    throw new Problem('platform-unreadable', { cause: fault.cause, answerLost: true });
  }
}

function pageQuery({ page, size }: { page: number; size: number }): string {
  return `page=${page}&size=${size}`;
}

function taskPath(id: string): string {
  return `${tasksPath}/${id.toLowerCase()}?taskTypeNameKey=Issue`;
}

const summaryShape = wire.shape({
  id: wire.id,
  name: line,
  organizationName: line,
  template: line,
  status: line,
  publishedDate: line,
  createdDate: line,
});

function summaryOf(summary: wire.Read<typeof summaryShape>): CenterSummary {
  const { organizationName: organization = '', template = '', status = '', ...rest } = summary;
  return { ...rest, name: rest.name ?? rest.id, organization, template, status };
}
