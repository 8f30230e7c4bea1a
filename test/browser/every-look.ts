import type { Page } from 'playwright-core';
import { bringAxe, whatAxeFinds, writePage } from './browser.ts';

/** A way to show a page; the default is a light desktop, the page's language and text of normal size. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly isForced?: boolean;
  readonly isLarge?: boolean;
  readonly lang?: string;
}

const phone = { width: 375, height: 812 } as const;
export const looks = {
  'on a light desktop': {},
  'on a dark phone': { ...phone, scheme: 'dark' },
  'at 400 %': { width: 320, height: 256 },
  'on a phone with text at 200 %': { ...phone, isLarge: true },
  'with text at 200 %': { width: 640, height: 800, isLarge: true },
  'in German, on a phone with text at 200 %': { ...phone, isLarge: true, lang: 'de' },
  'in Arabic, on a phone': { ...phone, lang: 'ar' },
  'in Arabic, at 400 %, dark': { width: 320, height: 256, lang: 'ar', scheme: 'dark' },
  'in German, in forced colours': { ...phone, isForced: true, lang: 'de' },
} as const satisfies Readonly<Record<string, Look>>;

/** Returns the faults of a page in a look; `style` plants a fault. */
export type EveryLook = (
  url: string,
  look: Look,
  options: { readonly axe: boolean; readonly style?: string | undefined },
) => Promise<readonly string[]>;

/**
 * Opens a window that checks one page after another without script; axe stays loaded. A check returns faults
 * with their places: content over the edge, cut text, covered focus and, if requested, faults that axe finds.
 */
export async function openEveryLook(page: Page, home: string): Promise<EveryLook> {
  await bringAxe(page, home);
  let shown = '';
  return async (
    url,
    { width = 1280, height = 900, scheme = 'light', isForced, isLarge, lang },
    { axe, style },
  ) => {
    const address = lang === undefined ? url : `${url}?lang=${lang}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, forcedColors: isForced ? 'active' : 'none' });
    if (address !== shown) {
      const html = await (await fetch(address)).text();
      await writePage(page, address, html.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/gi, ''));
      shown = address;
    }
    const about = JSON.stringify({ fontSize: isLarge ? '200%' : '', style });
    const faults = (await page.evaluate(`(${faultsOfLayout})(${about})`)) as string[];
    return axe ? [...faults, ...(await whatAxeFinds(page))] : faults;
  };
}

/** Code for the page: returns its faults of layout. */
const faultsOfLayout = `({ fontSize, style }) => {
  const { documentElement: root } = document;
  const planted = document.head.appendChild(document.createElement('style'));
  planted.textContent = style ?? '';
  root.style.fontSize = fontSize;
  scrollTo(0, 0);
  const faults = [];
  const say = (fault, element) => faults.push(fault + ': ' + element.outerHTML.slice(0, 120));
  const over = root.scrollWidth - root.clientWidth;
  if (over > 0) faults.push('scrolls sideways by ' + over);

  // Text must be within the window, and within ancestors that hide overflow.
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const element = text.parentElement;
    if (text.data.trim() === '' || element.closest('option, .unseen, .skip, noscript') || !element.checkVisibility())
      continue;
    range.selectNodeContents(text);
    seen.push([element, range.getBoundingClientRect()]);
  }
  for (const [element, box] of seen) {
    if (box.width <= 1 || box.height <= 1) continue;
    for (let around = element; around !== null; around = around.parentElement) {
      const { overflowX, overflowY, display, position, clipPath } = getComputedStyle(around);
      if (/auto|scroll/.test(overflowX) || clipPath !== 'none') break;
      const isButton = around.matches('.button, .tag');
      if (display === 'inline' || (overflowX === 'visible' && overflowY === 'visible' && !isButton)) continue;
      const edge = around.getBoundingClientRect();
      const cut = Math.max(edge.left - box.left, box.right - edge.right, edge.top - box.top, box.bottom - edge.bottom);
      if (cut > 2) {
        say('is cut by ' + Math.round(cut) + ' px', element);
        break;
      }
    }
  }

  // A word must not become a column of letters.
  for (const [element, box] of seen) {
    const letter = parseFloat(getComputedStyle(element).fontSize);
    if (box.width > 1 && box.width < 2 * letter && box.height > 4 * letter) say('stands one letter a line', element);
  }

  // Text must not touch the edge of its card, and the markers of a list must be within its column.
  for (const [element, box] of seen) {
    const around = element.closest('.card, .note');
    if (around === null || box.width <= 1 || element.closest('svg') !== null) continue;
    // A card within a card has no border.
    if (getComputedStyle(around).borderInlineStartWidth === '0px') continue;
    const card = around.getBoundingClientRect();
    const least = Math.min(box.left - card.left, card.right - box.right, box.top - card.top, card.bottom - box.bottom);
    if (least < 4 && least > -200) say('touches the edge of its card', element);
  }
  for (const list of document.querySelectorAll('ul, ol')) {
    const { listStyleType, paddingInlineStart } = getComputedStyle(list);
    if (list.checkVisibility() && listStyleType !== 'none' && parseFloat(paddingInlineStart) < 12)
      say('has its signs outside', list);
  }

  // A focused element must be in the window, and no fixed element may cover it.
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
    if (element.disabled || !element.checkVisibility()) continue;
    element.focus();
    if (document.activeElement !== element) continue;
    if (element.tabIndex < 0 && element.ariaHidden !== 'true') say('is reached by no key', element);
    // A mail program, not the browser, shows a message.
    if (document.querySelector('link[rel=stylesheet]') === null) continue;
    // The ring may be around the element, its whole tile or its pill.
    const pill = element.closest('.choice') ?? element;
    const styles = [getComputedStyle(element), getComputedStyle(element, '::after'), getComputedStyle(pill)];
    const ring = Math.max(...styles.map((each) => each.outlineStyle === 'none' ? 0 : parseFloat(each.outlineWidth)));
    if (ring < 3) say('has a ring of ' + ring + ' px', element);
    const [box = element.getBoundingClientRect()] = element.getClientRects();
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height, innerHeight) / 2];
    if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) {
      say('has the focus out of sight', element);
      continue;
    }
    for (let over = document.elementFromPoint(x, y); over !== null; over = over.parentElement) {
      if (over.contains(element)) break;
      if (/sticky|fixed/.test(getComputedStyle(over).position)) say('has the focus under ' + over.className, element);
    }
  }
  document.activeElement?.blur();
  planted.remove();
  return faults;
}`;
