/** A posted form, by the meaning of its fields. The option '' is the "none" of a single choice. */
export interface Posted {
  /** Ids of the ticked purposes. */
  readonly purposes: readonly string[];
  /** The ticked topics, by purpose id. */
  readonly topics: Readonly<Record<string, readonly string[]>>;
  /** The ticked options, by `purposeId.preferenceId`. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** The typed texts, by data element id. */
  readonly elements: Readonly<Record<string, string>>;
  /** Ids of purposes that are to be renewed. */
  readonly renewed?: readonly string[] | undefined;
  readonly subscribeAll: boolean;
  /** The language to keep as the person's own. */
  readonly language: string | undefined;
}
