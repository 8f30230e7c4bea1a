/** docs/platform-api.md, Notices. Date-times as the platform gives them: without zone, or with Z. */
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
  /** Newest version number first. */
  readonly versions: readonly NoticeVersionSummary[];
}

export type NoticeStatus = 'draft' | 'active' | 'inactive' | 'retired' | 'unknown';

export interface NoticeVersionSummary {
  readonly id: string;
  readonly version: number | undefined;
  readonly status: NoticeStatus;
  readonly publishedDate: string | undefined;
}

export interface NoticeWithVersion extends Omit<Notice, 'numberOfVersions' | 'versions'> {
  readonly version: NoticeVersionSummary & { readonly name: string };
}

export interface NoticeVersionPage {
  readonly versions: readonly NoticeVersion[];
  readonly paging: Paging;
}

export interface NoticeVersion extends NoticeVersionSummary {
  readonly name: string;
  readonly publishedBy: string | undefined;
  readonly languages: readonly {
    readonly code: string;
    readonly guid: string | undefined;
    readonly isDefault: boolean;
  }[];
}

/** `page` is zero-based, as on the wire. */
export interface Paging {
  readonly page: number;
  readonly size: number;
  readonly totalPages: number;
  readonly totalElements: number;
  readonly last: boolean;
}
