import { messagesFor } from '../../i18n/catalogue.ts';
import type { Note } from '../layout.ts';

/** Of a post only what it switched off was taken. */
export function partlyTakenNote(language: string): Note {
  const { changedTitle, changedTakenText } = messagesFor(language).review;
  return { tone: 'warning', title: changedTitle, lines: [changedTakenText] };
}
