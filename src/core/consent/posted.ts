/** A posted form, by the meaning of its fields. The option '' is the "none" of a single choice. */
export interface Posted {
  /** Ids of the ticked purposes. */
  readonly purposes: readonly string[];
  /** By purpose id: the ticked topics. */
  readonly topics: Readonly<Record<string, readonly string[]>>;
  /** By `purposeId.preferenceId`: the ticked options. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** By data element id: what was typed. */
  readonly elements: Readonly<Record<string, string>>;
  /** Ids of purposes that are to be renewed. */
  readonly renewed?: readonly string[] | undefined;
  readonly subscribeAll: boolean;
  /** The language to keep as the person's own. */
  readonly language: string | undefined;
}
