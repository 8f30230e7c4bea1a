import type { Center } from '../../core/model/center/center.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import type { Messages } from '../../i18n/catalogue.ts';

/** What all items of a page are made with. */
export interface ViewInput {
  readonly center: Center;
  readonly language: string;
  readonly messages: Messages;
  /** `withdraw`: nothing is offered that can be switched on, and values are masked. */
  readonly scope: Visit['scope'];
  /** What the mistake in a field is, by the field's name and the item's. */
  readonly mistakeIn: (field: string, item: string) => string | undefined;
}
