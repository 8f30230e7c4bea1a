import type { Paging } from '../core/model/staff/notice.ts';
import * as wire from './wire-shape.ts';

/** The envelope of a paged list (docs/platform-api.md, Paged lists), with the items of the page. */
export const envelope = wire.shape({
  content: wire.list,
  number: wire.number,
  size: wire.number,
  totalPages: wire.number,
  totalElements: wire.number,
  last: wire.flag,
});

export type Asked = Pick<Paging, 'page' | 'size'>;

/** Reads the paging of a list. Members that the envelope lacks follow from the query and the content. */
export function readPaging(from: wire.Read<typeof envelope>, asked: Asked): Paging {
  const page = count(from.number) ?? asked.page;
  const size = count(from.size) || asked.size;
  const seen = page * size + from.content.length;
  const totalElements = count(from.totalElements) ?? seen;
  const totalPages = count(from.totalPages) ?? Math.ceil(totalElements / size);
  return {
    page,
    size,
    totalPages,
    totalElements,
    last: from.last ?? page + 1 >= totalPages,
  };
}

function count(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
