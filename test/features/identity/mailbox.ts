import assert from 'node:assert/strict';
import { readForm } from '../../kit/form.ts';
import { readHtml } from '../../kit/html.ts';
import { until } from '../../kit/until.ts';
import type { Answer, Visitor } from '../../kit/visitor.ts';

export interface Letter {
  readonly to: string;
  readonly lang: string;
  readonly text: string;
  /** Path and query of the link in the message. */
  readonly link: string;
  readonly code: string;
}

/** Messages to an address, newest first. Waits for `least` of them: the product sends after it answers. */
export function lettersTo(visitor: Visitor, to: string, least = 0): Promise<readonly Letter[]> {
  return until(async () => {
    const page = await visitor.get('/sandbox/mailbox');
    assert.equal(page.status, 200);
    const articles = page.text.split('<article').slice(1);
    const letters = articles.map(readLetter).filter((letter) => letter.to === to);
    return letters.length >= least && letters;
  }, `${least} letters`);
}

/** The newest message to an address; waits for the first one. */
export async function letterTo(visitor: Visitor, to: string): Promise<Letter> {
  const [letter] = await lettersTo(visitor, to, 1);
  return letter ?? assert.fail(`nothing was sent to ${to}`);
}

/** Asks a center for a sign-in message and returns the next page. `home` is the path of the center. */
export async function ask(visitor: Visitor, email: string, home: string): Promise<Answer> {
  return visitor.submit(await visitor.open(`${home}/sign-in`), (form) => form.type('email', email));
}

/** Posts a passcode by the form of the page, without following a redirect. */
export function tryCode(visitor: Visitor, page: Answer, code: string): Promise<Answer> {
  return visitor.press(readForm(page.text, 'code').type('code', code));
}

function readLetter(html: string): Letter {
  const pieces = [...readHtml(`<article${html}`)];
  const inside = (tag: string, attribute?: [string, string]) => {
    const from = pieces.findIndex(
      (piece) =>
        piece.kind === 'open' &&
        piece.tag === tag &&
        (attribute === undefined || piece.attributes[attribute[0]] === attribute[1]),
    );
    const to = pieces.findIndex((piece, at) => at > from && piece.kind === 'close' && piece.tag === tag);
    const text = pieces.slice(from, to).map((piece) => (piece.kind === 'text' ? piece.text : ''));
    return { open: pieces[from], text: text.join('') };
  };
  const heading = inside('h2');
  const { text } = inside('p', ['class', 'letter-text']);
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  const { pathname, search } = new URL(link);
  return {
    to: inside('bdi').text,
    lang: heading.open?.kind === 'open' ? (heading.open.attributes['lang'] ?? '') : '',
    text,
    link: `${pathname}${search}`,
    code: /^[0-9]{6,8}$/m.exec(text.replace(link, ''))?.[0] ?? '',
  };
}
