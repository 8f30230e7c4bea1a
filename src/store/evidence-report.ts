import type { PurposeText, Wording } from '../core/model/evidence/wording.ts';
import type { WordingStore } from '../ports/wordings.ts';
import { eachRow } from './each-row.ts';
import { openEvidence } from './evidence-seal.ts';
import type { SubmissionRow } from './people-schema.ts';
import { reading, type StoreParts } from './sql.ts';

const recorded = reading<SubmissionRow>`SELECT * FROM submission
  WHERE submitted_at >= :at AND submitted_at < :to AND (submitted_at > :at OR sequence > :after)
  ORDER BY submitted_at, sequence LIMIT :limit`;

export interface AgreedWords {
  readonly center: string;
  readonly purpose: string;
  /** undefined if no words were shown, or these are no longer kept. */
  readonly language: string | undefined;
  readonly version: number | undefined;
  readonly digest: string | undefined;
  readonly text: PurposeText | undefined;
  readonly agreed: number;
  /** Grants that were read back from the platform. */
  readonly saved: number;
  readonly withdrew: number;
}

/** `from` (included) and `to` (excluded) are epoch milliseconds. */
interface Asked {
  readonly purpose: string;
  readonly from: number;
  readonly to: number;
  /** undefined: all centers. */
  readonly center?: string | undefined;
}

/** Counts the answers to each wording that was shown. A few submissions are held in memory at a time. */
export function evidenceReport(
  { sql, seal }: StoreParts,
  wordings: Pick<WordingStore, 'wordings' | 'texts'>,
) {
  /** The words of a purpose in the wording that was shown. */
  async function wordsOf(purpose: string, shown: string | undefined) {
    const content = shown && (await wordings.wordings([shown])).get(shown);
    const wording = content ? (JSON.parse(content) as Wording) : undefined;
    const { text: digest, version } = wording?.purposes.find(({ id }) => id === purpose) ?? {};
    const text = digest && (await wordings.texts([digest])).get(digest);
    return { language: wording?.language, version, digest, text: text ? JSON.parse(text) : undefined };
  }

  return {
    /**
     * The wordings of a purpose that people were shown in that time, each with its answers. Names no person.
     */
    async agreedTo({ purpose, from, to, center: only }: Asked): Promise<readonly AgreedWords[]> {
      const known = new Map<string | undefined, ReturnType<typeof wordsOf>>();
      const told = new Map<string, AgreedWords>();
      const goOn = ({ submitted_at: at, sequence: after }: SubmissionRow) => ({ at, after });
      for await (const row of eachRow(sql, recorded, [{ at: from, to, after: 0, limit: 500 }, goOn])) {
        const { center } = row;
        if (only !== undefined && center !== only) continue;
        const { asked, ended } = openEvidence(seal, row) ?? {};
        const change = asked?.changes.find((each) => each.what === 'purpose' && each.id === purpose)?.change;
        if (change !== 'on' && change !== 'off') continue;
        const isSaved = ended?.items.some(
          (item) => item.id === purpose && (item.outcome === 'saved' || item.outcome === 'unchanged'),
        );
        const shown = asked?.shown?.words;
        const words = await known.getOrInsertComputed(shown, () => wordsOf(purpose, shown));
        // Wordings with the same words about the purpose are counted together.
        const key = [center, words.digest, words.version, words.language].join(' ');
        const before = told.get(key) ?? { center, purpose, ...words, agreed: 0, saved: 0, withdrew: 0 };
        const isOn = change === 'on';
        told.set(key, {
          ...before,
          agreed: before.agreed + Number(isOn),
          saved: before.saved + Number(isOn && isSaved === true),
          withdrew: before.withdrew + Number(!isOn),
        });
      }
      return [...Map.groupBy(told.values(), ({ center }) => center).values()].flat();
    },
  };
}
