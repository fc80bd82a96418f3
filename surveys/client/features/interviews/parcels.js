// How parcels leave a tablet: to the site, or as a file for another tablet.

import {post} from '../../response.js';
import {add, FEWEST, NOBODY, parcelsOf, remove, setAside} from './kept.js';

const MOST_BYTES = 60_000; // of the boxes in one message

export const toText = box => btoa(Array.from(new Uint8Array(box), byte => String.fromCharCode(byte)).join(''));
const toBox = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer;

const SAID = {code: 'code', version: 'version', closed: 'closed', rate: 'busy', busy: 'busy'};

/** Send a parcel, in as many messages as it needs; what stops it, or nothing once the site has all of it. */
async function send({version, code, slug}, parcel) {
	const texts = parcel.boxes.map(toText);
	const each = Math.max(1, Math.floor(MOST_BYTES / texts[0].length));
	for (let start = 0; start < texts.length; start += each) {
		const boxes = texts.slice(start, start + each);
		const turned = start ? NOBODY : parcel.turned;
		const answer = await post(`/s/${slug}/parcels`, JSON.stringify({version, code, boxes, turned})).catch(() => {});
		if (!answer) return 'offline';
		if (answer.ok) continue;
		const {error, bad} = await answer.json().catch(() => ({}));
		if (!bad?.length) return SAID[error] ?? 'other';
		await setAside(
			parcel,
			bad.map(place => parcel.boxes[start + place]),
		);
		return 'damaged';
	}
	await remove(parcel);
}

/** Send all parcels of a survey; the first thing that stops it. */
export async function sendAll(survey) {
	for (;;) {
		const [parcel] = (await parcelsOf(survey.slug)).filter(({isDamaged}) => !isDamaged);
		const stopped = parcel && (await send(survey, parcel));
		if (!parcel || (stopped && stopped !== 'damaged')) return stopped;
	}
}

export const asFile = async ({slug, version}) => {
	const parcels = (await parcelsOf(slug)).map(({boxes, ...parcel}) => ({...parcel, boxes: boxes.map(toText)}));
	return new Blob([JSON.stringify({candor: 1, slug, version, parcels})], {type: 'application/json'});
};

/** Whether the site may take it: one that it refuses would keep back all others. */
const fits = ({boxes, turned}) =>
	boxes.length > 0 &&
	boxes.length < 2 * FEWEST &&
	Object.keys({...NOBODY, ...turned}).every(why => why in NOBODY && Number.isInteger(turned[why]) && turned[why] >= 0);

/** Take over the parcels of a file; false where it is none of these surveys. */
export async function takeOver(text, surveys) {
	try {
		const {candor, slug, version, parcels} = JSON.parse(text);
		const isOurs = surveys.some(survey => survey.slug === slug && survey.version === version);
		if (candor !== 1 || !isOurs || !parcels.every(fits)) return false;
		await add(
			parcels.map(({key, turned, boxes, isDamaged}) => ({
				key: key.match(/^[0-9a-f]{32}$/)[0],
				slug,
				boxes: boxes.map(toBox),
				turned,
				isDamaged,
			})),
		);
		return true;
	} catch {
		return false;
	}
}
