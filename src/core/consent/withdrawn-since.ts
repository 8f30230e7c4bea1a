import {
  type Asked,
  type DesiredItem,
  type DesiredState,
  everythingOver,
  itemAt,
  keyOf,
  purposeOf,
} from './desired-state.ts';

/**
 * Returns a test for words: was the purpose or choice withdrawn with this product, in any center, after the
 * form was shown, and not granted again since? A renewal does not count as granting again. "Everything" of
 * another center counts for the purposes that it reaches.
 */
export function withdrawnSince(
  desired: DesiredState,
  { form, center: own }: Pick<Asked, 'form'> & { readonly center: string },
): (word: Pick<DesiredItem, 'key' | 'renews'>) => boolean {
  return ({ key, renews }) => {
    const purpose = purposeOf(key);
    if (form === undefined || purpose === '') return false;
    const whole = keyOf.purpose(purpose);
    const withdrawn = desired.centers.flatMap((center) => {
      return [
        everythingOver(center, purpose, own)?.order ?? 0,
        ...[whole, key].map((each) => itemAt(center, each)?.withdrawn ?? 0),
      ];
    });
    const last = Math.max(0, ...withdrawn);
    const isAskedSince = desired.centers.some((center) => {
      const word = itemAt(center, key);
      return word?.want === 'on' && word.phase !== 'over' && word.renews !== true && word.order > last;
    });
    return last > form.order && (renews === true || !isAskedSince);
  };
}
