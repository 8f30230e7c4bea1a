import { times } from '../chaos/dice.ts';

export interface Host {
  /** HTML before the element. */
  readonly before: string;
  readonly after?: string;
  readonly width?: number;
  /** Pixels that the site's header covers at the upper edge of the window. */
  readonly header?: number;
  readonly policy?: string;
}

const room =
  '<style>sayso-preferences { display: block } sayso-preferences:empty { min-block-size: 100vh }</style>';
const below = '<p style="block-size: 900px">Below</p>';
const header = (height: number) =>
  `<header style="position: sticky; top: 0; z-index: 9; height: ${height}px; background: #123">A shop</header>`;
/** Foreign sites of several layouts; some only in the long form. embed-look tests their colours. */
export const hosts: Readonly<Record<string, Host>> = {
  ...times<Readonly<Record<string, Host>>>(
    {},
    {
      'in a grid': {
        before:
          '<body style="display: grid; grid-template-columns: 1fr minmax(0, 2fr)"><nav>A shop</nav><main>',
        after: '</main>',
      },
      'in a transformed parent': { before: '<body><main style="transform: scale(0.9)">', after: '</main>' },
    },
  ),
  'under a sticky header of 120 pixels': { before: `<body>${header(120)}`, header: 120 },
  'under a sticky header, on a phone': { before: `<body>${header(64)}`, header: 64, width: 375 },
  'aside, 300 pixels wide': {
    before:
      '<body style="display: flex"><main style="flex: 1">A shop</main><aside style="inline-size: 300px">',
    after: '</aside>',
  },
  'in a part that scrolls': {
    before: '<body style="margin: 0"><main style="block-size: 600px; overflow: auto">',
    after: '</main>',
  },
  'under a strict policy': {
    before: '<body>',
    policy: `default-src 'none'; script-src {sayso}; frame-src {sayso}; style-src 'sha256-none'`,
  },
};

/** Builds the page of a site with the element. */
export function htmlOf({ before, after = '', policy }: Host, element: string): string {
  return `${policy ? '' : room}${before}${element}${policy ? '' : below}${after}`;
}

export function headersOf({ policy }: Host, sayso: string): Readonly<Record<string, string>> {
  return policy === undefined ? {} : { 'Content-Security-Policy': policy.replaceAll('{sayso}', sayso) };
}

export interface Box {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns the place of an element of the frame in the window of the site. A site may scale its frame, and a
 * browser's coordinates within the frame are unscaled. `inFrame` and `inPage` evaluate an expression that
 * returns a string.
 */
export async function inWindow(
  selector: string,
  inFrame: (expression: string) => Promise<unknown>,
  inPage: (expression: string) => Promise<unknown>,
): Promise<Box> {
  const read = async (ask: typeof inPage, expression: string) =>
    JSON.parse(String(await ask(`JSON.stringify(${expression})`)));
  const box = await read(inFrame, `document.querySelector('${selector}').getBoundingClientRect()`);
  const { top, scale } = await read(
    inPage,
    `[document.querySelector('iframe')].map((frame) => {
      const { top, height } = frame.getBoundingClientRect();
      return { top, scale: height / frame.offsetHeight };
    })[0]`,
  );
  return { top: top + box.top * scale, bottom: top + box.bottom * scale };
}
