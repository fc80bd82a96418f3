import {wordsOf} from '../words.js';

export const words = wordsOf(`
erased|What you have just sent was not stored, and is erased from this device.|您刚发送的内容未被存储，并已从此设备清除。
notFound|There is no such survey: check the link|没有这个调查：请检查链接
notOpen|This survey is not open yet|本调查尚未开放
notOpenText|It opens: {when}.|开放：{when}。
closed|This survey is closed|本调查已结束
wrongHash|This is not the questionnaire of your link|这不是您的链接所指的问卷
wrongHashText|This site sent another. Please ask who gave you the link.|本网站发送了另一份。请询问给您链接的人。
incomplete|This link is incomplete: open the whole link|链接不完整：请打开完整的链接
busy|Too many at once: try again in some minutes|同时访问的人太多：请几分钟后再试
spent|This invitation has been used: finish in the browser where it was begun|此邀请已被使用：请在开始时所用的浏览器中完成
notInvited|This invitation is not known: open the whole link|无法识别此邀请：请打开完整的链接
malformed|This questionnaire cannot be shown|无法显示此问卷
insecure|Nothing can be protected here: this page came without https|此处无法提供保护：此页面未通过 https 打开
changed|The questionnaire has changed|问卷已更改
newer|See the new version|看新版本
duplicate|A response is already stored|已存储一份回答
duplicateText|The first from this device or invitation counts.|以此设备或此邀请的第一份为准。
refused|The response was not accepted|回答未被接受
answerAgain|Answer again|重新回答
list|Find a receipt in the public list|在公开清单中查找回执
`);
