// What a tablet keeps: finished interviews, encrypted to the key of their survey, without order and time, and counts.
// Of an open interview it keeps that there is one, and nothing else.

import {below} from '../../chances.js';
import {hex} from '../../exchange.js';

export const FEWEST = 20; // leave together, and so many stay until the last day
export const NOBODY = {refused: 0, broken: 0, absent: 0};

const random = () => hex(crypto.getRandomValues(new Uint8Array(16)));

const got = request =>
	new Promise((done, failed) => {
		request.onsuccess = () => done(request.result);
		request.onerror = () => failed(request.error);
	});

let database;

function open() {
	const asked = indexedDB.open('candor-interviews', 1);
	asked.onupgradeneeded = () => {
		asked.result.createObjectStore('surveys', {keyPath: 'slug'});
		for (const name of ['boxes', 'parcels'])
			asked.result.createObjectStore(name, {keyPath: 'key'}).createIndex('slug', 'slug');
	};
	return got(asked);
}

/** What `task` does with the stores of these names is on the disk as a whole, or not at all. */
async function atOnce(names, task) {
	database ??= open();
	const change = (await database).transaction(names, 'readwrite', {durability: 'strict'});
	const over = new Promise((done, failed) => {
		change.oncomplete = done;
		change.onabort = () => failed(change.error);
	});
	const [result] = await Promise.all([task(...names.map(name => change.objectStore(name))), over]);
	return result;
}

export const surveys = () => atOnce(['surveys'], store => got(store.getAll()));

/** Another version of the same survey is another survey, which the site does not publish. */
export const install = survey =>
	atOnce(['surveys'], async store => {
		const before = await got(store.get(survey.slug));
		const counts = {took: 0, turned: NOBODY, unsent: NOBODY, isOpen: false};
		return got(store.put({...counts, ...before, ...survey, isOver: false}));
	});

const alter = (names, slug, task) =>
	atOnce(['surveys', ...names], async (store, ...others) => {
		const survey = await got(store.get(slug));
		const {result, ...altered} = await task(survey, ...others);
		await got(store.put({...survey, ...altered}));
		return result;
	});

export const note = (slug, altered) => alter([], slug, async () => altered);

/** A finished interview: `survey` no longer has an open one. The key of the box, by which it is found, is drawn. */
export const keep = (slug, box) =>
	alter(['boxes'], slug, async ({took}, boxes) => {
		await got(boxes.add({key: random(), slug, box}));
		return {took: took + 1, isOpen: false};
	});

/** One person more who was not asked, or one less. */
export const turnAway = (slug, why, by = 1) =>
	alter([], slug, async ({turned, unsent}) => ({
		turned: {...turned, [why]: turned[why] + by},
		unsent: {...unsent, [why]: unsent[why] + by},
		isOpen: false,
	}));

export const waiting = slug => atOnce(['boxes'], boxes => got(boxes.index('slug').count(slug)));

export const parcelsOf = slug => atOnce(['parcels'], parcels => got(parcels.index('slug').getAll(slug)));

/** How many of those that wait may go. */
export const going = (count, all) => (all ? count : count >= 2 * FEWEST ? count - FEWEST : 0);

function shuffled(list) {
	const mixed = [...list];
	mixed.forEach((_, place) => {
		const other = below(place + 1);
		[mixed[place], mixed[other]] = [mixed[other], mixed[place]];
	});
	return mixed;
}

/** Make parcels of twenty or more, by chance from all that wait; `all`: of all of them. What is in a parcel stays in it
 * until the site has it, so that a message that comes again is the same. */
export const pack = (slug, all) =>
	alter(['boxes', 'parcels'], slug, async ({unsent}, boxes, parcels) => {
		const rows = shuffled(await got(boxes.index('slug').getAll(slug)));
		const drawn = rows.slice(0, going(rows.length, all));
		const count = drawn.length && Math.max(1, Math.floor(drawn.length / FEWEST));
		for (let number = 0; number < count; number += 1) {
			const own = drawn.filter((_, place) => place % count === number);
			const turned = number ? NOBODY : unsent;
			await got(parcels.add({key: random(), slug, boxes: own.map(({box}) => box), turned}));
			await Promise.all(own.map(({key}) => got(boxes.delete(key))));
		}
		return {unsent: count ? NOBODY : unsent};
	});

export const add = parcels => atOnce(['parcels'], store => Promise.all(parcels.map(parcel => got(store.put(parcel)))));

export const remove = ({key}) => atOnce(['parcels'], store => got(store.delete(key)));

/** Boxes that the site cannot read stay by themselves, so that the others of their parcel can go. */
export const setAside = (parcel, bad) =>
	atOnce(['parcels'], async store => {
		const boxes = parcel.boxes.filter(box => !bad.includes(box));
		await got(store.add({key: random(), slug: parcel.slug, boxes: bad, turned: NOBODY, isDamaged: true}));
		await got(boxes.length ? store.put({...parcel, boxes}) : store.delete(parcel.key));
	});

const bytesOf = text => Uint8Array.from(text.match(/../g), pair => Number.parseInt(pair, 16));

/** The text, under a key that only the owner of `key` (a point of P-256, in hex) can derive. */
export async function encrypt(text, key, version) {
	const curve = {name: 'ECDH', namedCurve: 'P-256'};
	const site = await crypto.subtle.importKey('raw', bytesOf(key), curve, false, []);
	const drawn = await crypto.subtle.generateKey(curve, false, ['deriveBits']);
	const point = new Uint8Array(await crypto.subtle.exportKey('raw', drawn.publicKey));
	const secret = await crypto.subtle.deriveBits({name: 'ECDH', public: site}, drawn.privateKey, 256);
	const info = Uint8Array.of(...new TextEncoder().encode('candor interview'), ...bytesOf(version), ...point);
	const cipher = await crypto.subtle.deriveKey(
		{name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info},
		await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']),
		{name: 'AES-GCM', length: 256},
		false,
		['encrypt'],
	);
	const iv = new Uint8Array(12); // each key encrypts once
	const encrypted = await crypto.subtle.encrypt({name: 'AES-GCM', iv}, cipher, new TextEncoder().encode(text));
	return new Blob([point, encrypted]).arrayBuffer();
}
