/**
 * A page of notices (docs/platform-api.md, Notices). Date-times are as the platform gives them: without a
 * zone, or with Z.
 */
export interface NoticePage {
  readonly notices: readonly Notice[];
  readonly paging: Paging;
}

export interface Notice {
  readonly id: string;
  readonly createdDate: string | undefined;
  readonly lastPublishedDate: string | undefined;
  readonly organizationId: string | undefined;
  readonly responsibleUserId: string | undefined;
  readonly numberOfVersions: number;
  /** The versions, newest first. */
  readonly versions: readonly NoticeVersion[];
}

export type NoticeStatus = 'draft' | 'active' | 'inactive' | 'retired' | 'unknown';

export interface NoticeVersion {
  readonly id: string;
  /** The name; '' if there is none. */
  readonly name: string;
  readonly version: number | undefined;
  readonly status: NoticeStatus;
  readonly publishedDate: string | undefined;
  readonly publishedBy: string | undefined;
  readonly languages: readonly {
    readonly code: string;
    readonly guid: string | undefined;
    readonly isDefault: boolean;
  }[];
}

export interface NoticeWithVersion extends Omit<Notice, 'numberOfVersions' | 'versions'> {
  readonly version: NoticeVersion;
}

export interface NoticeVersionPage {
  readonly versions: readonly NoticeVersion[];
  readonly paging: Paging;
}

/** `page` is zero-based, as on the wire. */
export interface Paging {
  readonly page: number;
  readonly size: number;
  readonly totalPages: number;
  readonly totalElements: number;
  readonly last: boolean;
}
