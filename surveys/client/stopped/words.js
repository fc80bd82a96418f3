export const words = {
	erased: {
		en: 'What you have just sent was not stored, and is erased from this device.',
		'zh-hans': '您刚发送的内容未被存储，并已从此设备清除。',
	},
	notFound: {
		en: 'There is no such survey: check the link',
		'zh-hans': '没有这个调查：请检查链接',
	},
	notOpen: {
		en: 'This survey is not open yet',
		'zh-hans': '本调查尚未开放',
	},
	notOpenText: {
		en: 'It opens: {when}.',
		'zh-hans': '开放：{when}。',
	},
	closed: {
		en: 'This survey is closed',
		'zh-hans': '本调查已结束',
	},
	wrongHash: {
		en: 'This is not the questionnaire of your link',
		'zh-hans': '这不是您的链接所指的问卷',
	},
	wrongHashText: {
		en: 'This site sent another. Please ask who gave you the link.',
		'zh-hans': '本网站发送了另一份。请询问给您链接的人。',
	},
	incomplete: {
		en: 'This link is incomplete: open the whole link',
		'zh-hans': '链接不完整：请打开完整的链接',
	},
	busy: {
		en: 'Too many at once: try again in some minutes',
		'zh-hans': '同时访问的人太多：请几分钟后再试',
	},
	spent: {
		en: 'This invitation has been used: finish in the browser where it was begun',
		'zh-hans': '此邀请已被使用：请在开始时所用的浏览器中完成',
	},
	notInvited: {
		en: 'This invitation is not known: open the whole link',
		'zh-hans': '无法识别此邀请：请打开完整的链接',
	},
	malformed: {
		en: 'This questionnaire cannot be shown',
		'zh-hans': '无法显示此问卷',
	},
	insecure: {
		en: 'Nothing can be protected here: this page came without https',
		'zh-hans': '此处无法提供保护：此页面未通过 https 打开',
	},
	changed: {
		en: 'The questionnaire has changed',
		'zh-hans': '问卷已更改',
	},
	newer: {
		en: 'See the new version',
		'zh-hans': '看新版本',
	},
	duplicate: {
		en: 'A response is already stored',
		'zh-hans': '已存储一份回答',
	},
	duplicateText: {
		en: 'The first from this device or invitation counts.',
		'zh-hans': '以此设备或此邀请的第一份为准。',
	},
	refused: {
		en: 'The response was not accepted',
		'zh-hans': '回答未被接受',
	},
	anew: {
		en: 'Answer again',
		'zh-hans': '重新回答',
	},
	list: {
		en: 'Find a receipt in the public list',
		'zh-hans': '在公开清单中查找回执',
	},
};
